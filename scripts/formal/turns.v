(** Rotations of pairs of rows: constants that commute with the angles commute with the turns. Rows 2 f and 2 f + 1 of a
pair stand in two halves here, which is the same up to the order of the rows. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Formal Require Import derivations identities.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Turns.

Variable R : comUnitAlgType rat.
Variables cosine sine : rat -> R.
Hypothesis cosine_even : forall x, cosine (- x) = cosine x.
Hypothesis sine_odd : forall x, sine (- x) = - sine x.

Lemma sine_zero : sine 0 = 0.
Proof.
have /eqP := sine_odd 0; rewrite oppr0 -addr_eq0 -mulr2n -scaler_nat => /eqP E.
by apply: (@scalerI _ _ (2%:R : rat)); rewrite ?scaler0 // scaler_nat -[LHS]scaler_nat.
Qed.

Lemma numbers_commute (p u x y : rat) :
  p * y = x * u -> u * y = x * p -> p%:A * cosine y = cosine x * p%:A /\ p%:A * sine y = sine x * u%:A.
Proof.
move=> E F; have [p0|p0] := eqVneq p 0.
  rewrite p0 scale0r !mul0r mulr0; split=> //; move/eqP: E.
  rewrite p0 mul0r eq_sym mulf_eq0 => /orP[]/eqP->; last by rewrite scale0r mulr0.
  by rewrite sine_zero mul0r.
have: p * (y - x) * (y + x) == 0.
  by rewrite -mulrA -subr_sqr mulrBr !expr2 mulrA E -mulrA F !mulrA [p * x]mulrC -!mulrA [p * x]mulrC subrr.
rewrite !mulf_eq0 (negbTE p0) /= subr_eq0 addr_eq0 => /orP[]/eqP G; rewrite G ?cosine_even ?sine_odd ![_ * p%:A]mulrC.
  split=> //; move/eqP: E; rewrite G [x * u]mulrC -subr_eq0 -mulrBl mulf_eq0 subr_eq0 => /orP[]/eqP->.
    by rewrite mulrC.
  by rewrite sine_zero mul0r mulr0.
split=> //; move/eqP: E; rewrite G mulrN eq_sym -addr_eq0 [p * x]mulrC -mulrDr mulf_eq0 addr_eq0 => /orP[]/eqP->.
  by rewrite sine_zero oppr0 mulr0 mul0r.
by rewrite scaleNr mulrN mulrN mulrC.
Qed.

Variables (p : nat) (angles : 'I_p -> rat).

Definition quarter : 'M[rat]_(p + p) :=
  block_mx 0 (- diag_mx (\row_f angles f)) (diag_mx (\row_f angles f)) 0.

Definition turn (position : nat) : 'M[R]_(p + p) :=
  let c := diag_mx (\row_f cosine (angles f * position%:R)) in
  let s := diag_mx (\row_f sine (angles f * position%:R)) in block_mx c (- s) s c.

Lemma constant_commutes_with_turns (C : 'M[rat]_(p + p)) position :
  C *m quarter = quarter *m C -> turn position *m constant R C = constant R C *m turn position.
Proof.
rewrite -[C]submxK; move: (ulsubmx C) (ursubmx C) (dlsubmx C) (drsubmx C) => P Q S U.
rewrite /constant map_block_mx /turn !mulmx_block !mul0mx !mulmx0 !addr0 !add0r.
move=> /eq_block_mx[EQ EP EU ES].
have entry := (mul_diag_mx, mul_mx_diag, mulNmx, mulmxN, mxE).
have scaled (a b x y : rat) : a * y = x * b -> a * (y * position%:R) = x * position%:R * b.
  by move=> E; rewrite mulrA E mulrAC.
have QS f g : Q f g * angles g = - (angles f * S f g) by move/matrixP/(_ f g): EQ; rewrite !entry.
have PU f g : P f g * angles g = angles f * U f g.
  by move/matrixP/(_ f g): EP; rewrite !entry => /oppr_inj.
have UP f g : U f g * angles g = angles f * P f g by move/matrixP/(_ f g): EU; rewrite !entry.
have SQ f g : S f g * angles g = - (angles f * Q f g).
  by move/matrixP/(_ f g): ES; rewrite !entry => /eqP; rewrite eqr_oppLR => /eqP.
have first f g := numbers_commute (scaled _ _ _ _ (PU f g)) (scaled _ _ _ _ (UP f g)).
have second f g := numbers_commute (scaled _ _ _ _ (UP f g)) (scaled _ _ _ _ (PU f g)).
have third f g : (Q f g)%:A * cosine (angles g * position%:R) = cosine (angles f * position%:R) * (Q f g)%:A /\
    (Q f g)%:A * sine (angles g * position%:R) = - (sine (angles f * position%:R) * (S f g)%:A).
  have [||-> ->] := @numbers_commute (Q f g) (- S f g) (angles f * position%:R) (angles g * position%:R).
  - by apply: scaled; rewrite mulrN.
  - by apply: scaled; rewrite mulNr SQ opprK.
  by rewrite scaleNr mulrN.
have fourth f g : (S f g)%:A * cosine (angles g * position%:R) = cosine (angles f * position%:R) * (S f g)%:A /\
    (S f g)%:A * sine (angles g * position%:R) = - (sine (angles f * position%:R) * (Q f g)%:A).
  have [||-> ->] := @numbers_commute (S f g) (- Q f g) (angles f * position%:R) (angles g * position%:R).
  - by apply: scaled; rewrite mulrN.
  - by apply: scaled; rewrite mulNr QS opprK.
  by rewrite scaleNr mulrN.
have number (x : rat) : in_alg R x = x%:A by [].
congr block_mx; apply/matrixP=> f g; rewrite !(entry, number) ?(fst (first _ _)) ?(snd (first _ _))
  ?(fst (second _ _)) ?(snd (second _ _)) ?(fst (third _ _)) ?(snd (third _ _)) ?(fst (fourth _ _))
  ?(snd (fourth _ _)) ?opprK //; exact: addrC.
Qed.

End Turns.
