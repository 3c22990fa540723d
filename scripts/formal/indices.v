(** Words by indices: products of entries of matrices, summed over indices. A factor is a leaf, its indices and a power;
an assignment gives each index a number. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Formal Require Import derivations.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Indices.

Variable R : comUnitAlgType rat.
Variable entry : nat -> seq nat -> R.

Definition factor : Type := nat * seq nat * int.
Definition leaf (f : factor) := f.1.1.
Definition indices_of (f : factor) := f.1.2.
Definition assigned (a : nat -> nat) (i x : nat) : nat -> nat := fun j => if j == i then x else a j.

(** The product of the factors, and its sum over indices of given sizes. *)
Definition term (w : seq factor) (a : nat -> nat) : R := \prod_(f <- w) entry (leaf f) (map a (indices_of f)) ^ f.2.

Fixpoint total (size : nat -> nat) (s : seq nat) (F : (nat -> nat) -> R) (a : nat -> nat) : R :=
  if s is i :: s' then \sum_(x < size i) total size s' F (assigned a i x) else F a.

Definition free_of (i : nat) (F : (nat -> nat) -> R) := forall a x, F (assigned a i x) = F a.
Definition pointwise (F : (nat -> nat) -> R) := forall a b, a =1 b -> F a = F b.

Lemma assigned_pointwise a b i x : a =1 b -> assigned a i x =1 assigned b i x.
Proof. by move=> E j; rewrite /assigned E. Qed.

Lemma term_pointwise w : pointwise (term w).
Proof. by move=> a b E; apply: eq_bigr => f _; rewrite (eq_map E). Qed.

Lemma total_pointwise size s F : pointwise F -> pointwise (total size s F).
Proof.
move=> P; elim: s => [|i s IH] a b E /=; first exact: P.
by apply: eq_bigr => x _; apply: IH; exact: assigned_pointwise.
Qed.

Lemma total_equal size s F G : F =1 G -> total size s F =1 total size s G.
Proof. by move=> E; elim: s => [|i s IH] a /=; [exact: E | apply: eq_bigr => x _; exact: IH]. Qed.

Lemma term_without w i : (forall f, f \in w -> i \notin indices_of f) -> free_of i (term w).
Proof.
move=> without a x; rewrite /term big_seq [RHS]big_seq; apply: eq_bigr => f /without i_f.
congr (entry _ _ ^ _); apply/eq_in_map => j j_f; rewrite /assigned.
by case: (eqVneq j i) => [E|//]; rewrite -E j_f in i_f.
Qed.

(** Factors and summed indices have no order. *)
Lemma factors_commute w v : perm_eq w v -> term w =1 term v.
Proof. by move=> E a; exact: perm_big. Qed.

Lemma term_of_both w v a : term (w ++ v) a = term w a * term v a.
Proof. exact: big_cat. Qed.

Lemma sums_commute size i j s F a :
  pointwise F -> i != j -> total size (i :: j :: s) F a = total size (j :: i :: s) F a.
Proof.
move=> P ij /=; rewrite exchange_big; apply: eq_bigr => y _; apply: eq_bigr => x _.
apply: total_pointwise => // k; rewrite /assigned.
by case: (eqVneq k j) => // ->; rewrite eq_sym (negbTE ij).
Qed.

(** Indices have no names. *)
Lemma indices_have_no_names size names s w a : injective names ->
  total size (map names s) (term [seq (leaf f, map names (indices_of f), f.2) | f <- w]) a =
  total (size \o names) s (term w) (a \o names).
Proof.
move=> inj; elim: s a => [|i s IH] a /=.
  by rewrite /term big_map; apply: eq_bigr => f _; rewrite /leaf /indices_of /= -map_comp.
apply: eq_bigr => x _; rewrite IH; apply: total_pointwise => [|j]; first exact: term_pointwise.
by rewrite /assigned /= (inj_eq inj).
Qed.

(** A factor without a summed index stands before the sum; what shares no index with all else is a number. *)
Lemma sum_of_multiple size i F G a :
  free_of i F -> total size [:: i] (fun b => F b * G b) a = F a * total size [:: i] G a.
Proof. by move=> E /=; rewrite mulr_sumr; apply: eq_bigr => x _; rewrite E. Qed.

Lemma total_of_multiple size s F G a :
  (forall i, i \in s -> free_of i F) -> total size s (fun b => F b * G b) a = F a * total size s G a.
Proof.
elim: s a => [//|i s IH] a E /=; rewrite mulr_sumr; apply: eq_bigr => x _.
rewrite IH => [|j j_s]; last by apply: E; rewrite inE j_s orbT.
by rewrite E // inE eqxx.
Qed.

Lemma free_of_total size s F i : pointwise F -> free_of i F -> free_of i (total size s F).
Proof.
move=> P E; elim: s => [|j s IH] a x /=; first exact: E.
apply: eq_bigr => y _; case: (eqVneq i j) => [same|ij].
  by apply: total_pointwise => // k; rewrite /assigned same; case: eqP.
rewrite -[RHS](IH _ x); apply: total_pointwise => // k; rewrite /assigned.
by case: (eqVneq k j) => // ->; rewrite eq_sym (negbTE ij).
Qed.

Lemma parts_are_numbers size s t w v a :
  (forall i f, i \in t -> f \in w -> i \notin indices_of f) ->
  (forall i f, i \in s -> f \in v -> i \notin indices_of f) ->
  total size (s ++ t) (term (w ++ v)) a = total size s (term w) a * total size t (term v) a.
Proof.
move=> w_t v_s; elim: s a v_s => [|i s IH] a v_s /=.
  rewrite (@total_equal _ _ _ (fun b => term w b * term v b)); last by move=> b; exact: term_of_both.
  by apply: total_of_multiple => i i_t; apply: term_without => f; exact: w_t.
rewrite mulr_suml; apply: eq_bigr => x _; rewrite IH => [|j f j_s]; last by apply: v_s; rewrite inE j_s orbT.
congr (_ * _); apply: free_of_total; first exact: term_pointwise.
by apply: term_without => f; apply: v_s; rewrite inE eqxx.
Qed.

(** Powers of one entry. *)
Lemma powers_of_one_entry l here e f w a : entry l (map a here) \is a GRing.unit ->
  term [:: (l, here, e), (l, here, f) & w] a = term ((l, here, e + f) :: w) a.
Proof. by move=> u; rewrite /term !big_cons mulrA /leaf /indices_of /= exprzDr. Qed.

Lemma power_zero_of_entry l here w a : term ((l, here, 0) :: w) a = term w a.
Proof. by rewrite /term big_cons /= expr0z mul1r. Qed.

(** Constants that share an index with each other alone are multiplied; the identity renames an index. *)
Lemma constants_by_indices m k n (C : 'M[R]_(m, k)) (D : 'M[R]_(k, n)) i j :
  \sum_x C i x * D x j = (C *m D) i j.
Proof. by rewrite mxE. Qed.

Lemma identity_by_indices n (F : 'I_n -> R) i : \sum_x (1%:M : 'M[R]_n) i x * F x = F i.
Proof.
rewrite (bigD1 i) //= big1 ?addr0 => [|x /negbTE xi]; last by rewrite mxE eq_sym xi mul0r.
by rewrite mxE eqxx mul1r.
Qed.

(** Products of matrices and entrywise products. *)
Lemma product_by_indices m k n (A : 'M[R]_(m, k)) (B : 'M[R]_(k, n)) i j : (A *m B) i j = \sum_x A i x * B x j.
Proof. by rewrite mxE. Qed.

Lemma entrywise_by_indices m n (A B : 'M[R]_(m, n)) i j : entrywise A B i j = A i j * B i j.
Proof. by rewrite mxE. Qed.

(** What is its own negative is zero, as x^T J x with a skew J. *)
Lemma own_negative (x : R) : x = - x -> x = 0.
Proof.
move/eqP; rewrite -addr_eq0 -mulr2n -scaler_nat => /eqP E.
by apply: (@scalerI _ _ (2%:R : rat)); rewrite ?scaler0.
Qed.

(** The rule of Leibniz. *)
Variable delta : {additive R -> R}.
Hypothesis leibniz : forall a b : R, delta (a * b) = delta a * b + a * delta b.

Lemma derivation_power (x : R) (n : nat) : delta (x ^+ n) = x ^+ n.-1 * delta x *+ n.
Proof.
elim: n => [|n IH]; first by rewrite expr0 mulr0n (derivation1 leibniz).
rewrite exprS leibniz IH mulrC; case: n {IH} => [|n]; first by rewrite expr0 mulr0n mulr0 addr0 mulr1n.
by rewrite mulrnAr mulrA -exprS -mulrS.
Qed.

Lemma derivative_of_total size s F a : delta (total size s F a) = total size s (delta \o F) a.
Proof. by elim: s a => [//|i s IH] a /=; rewrite raddf_sum; apply: eq_bigr => x _; exact: IH. Qed.

Lemma derivative_of_term w v a : delta (term (w ++ v) a) = delta (term w a) * term v a + term w a * delta (term v a).
Proof. by rewrite term_of_both leibniz. Qed.

Lemma derivative_of_multiple l here w h a :
  (forall b, delta (entry l (map b here)) = h b * entry l (map b here)) ->
  delta (term ((l, here, 1) :: w) a) = h a * term ((l, here, 1) :: w) a + term [:: (l, here, 1)] a * delta (term w a).
Proof.
move=> E; rewrite -cat1s derivative_of_term term_of_both {1}/term big_seq1 /leaf /indices_of /= expr1z E mulrA.
by congr (_ * _ * _ + _); rewrite /term big_seq1 /= expr1z.
Qed.

End Indices.
