(** Derivations of commutative algebras over Q, entry by entry on matrices: the rule of Leibniz for each operation. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Entrywise products, diagonal matrices, spread rows and columns *)

Section Operations.

Variable R : comUnitAlgType rat.

Definition entrywise m n (A B : 'M[R]_(m, n)) : 'M[R]_(m, n) := \matrix_(i, j) (A i j * B i j).
Definition diagonal m (w : 'cV[R]_m) : 'M[R]_m := diag_mx w^T.
Definition power m (w : 'cV[R]_m) (e : int) : 'cV[R]_m := \col_i (w i 0 ^ e).
Definition rowdiag m (A : 'M[R]_m) : 'rV[R]_m := \row_j A j j.
Definition reciprocals m n (A : 'M[R]_(m, n)) : 'M[R]_(m, n) := map_mx GRing.inv A.
Definition ones m n : 'M[R]_(m, n) := const_mx 1.
Definition spread_row m n (r : 'rV[R]_n) : 'M[R]_(m, n) := \matrix_(i, j) r 0 j.
Definition spread_column m n (c : 'cV[R]_m) : 'M[R]_(m, n) := \matrix_(i, j) c i 0.
Definition column_products m n (A B : 'M[R]_(m, n)) : 'rV[R]_n := \row_j \sum_i A i j * B i j.
Definition centred m n (A : 'M[R]_(m, n)) : 'M[R]_(m, n) := \matrix_(i, j) (A i j - (m%:R^-1 : rat) *: \sum_k A k j).
Definition turned_columns m n (T : 'I_n -> 'M[R]_m) (A : 'M[R]_(m, n)) : 'M[R]_(m, n) :=
  \matrix_(i, j) \sum_k T j i k * A k j.

Definition units m n (A : 'M[R]_(m, n)) := forall i j, A i j \is a GRing.unit.

Lemma one_entry m n (A : 'M[R]_(m, 1)) (B : 'M[R]_(1, n)) i j : (A *m B) i j = A i 0 * B 0 j.
Proof. by rewrite mxE big_ord_recl big_ord0 addr0. Qed.

Lemma diagonal_entry m (w : 'cV[R]_m) i j : diagonal w i j = w i 0 *+ (i == j).
Proof. by rewrite !mxE. Qed.

Lemma diagonal_left m n (w : 'cV[R]_m) (A : 'M[R]_(m, n)) i j : (diagonal w *m A) i j = w i 0 * A i j.
Proof. by rewrite mul_diag_mx !mxE. Qed.

Lemma diagonal_right m n (A : 'M[R]_(m, n)) (w : 'cV[R]_n) i j : (A *m diagonal w) i j = A i j * w j 0.
Proof. by rewrite mul_mx_diag !mxE. Qed.

End Operations.

Arguments ones {R} m n.

(** ** Derivations *)

Section Derivation.

Variable R : comUnitAlgType rat.
Variable delta : {additive R -> R}.
Hypothesis leibniz : forall a b : R, delta (a * b) = delta a * b + a * delta b.

Implicit Types (a b x y : R).

Lemma derivation1 : delta 1 = 0.
Proof. by apply: (addrI (delta 1)); rewrite addr0 -{3}[1]mulr1 leibniz mulr1 mul1r. Qed.

(** Fractions do not move: a derivation of an algebra over Q is linear over Q. *)
Lemma derivation_scale (c : rat) a : delta (c *: a) = c *: delta a.
Proof.
have natural (n : nat) b : delta (n%:R *: b) = n%:R *: delta b by rewrite !scaler_nat raddfMn.
have integral (z : int) b : delta (z%:~R *: b) = z%:~R *: delta b.
  by case: z => n; rewrite ?NegzE ?mulrNz ?scaleNr ?raddfN -?pmulrn natural.
have d0 : (denq c)%:~R != 0 :> rat by rewrite intr_eq0 denq_neq0.
apply: (scalerI d0); rewrite -integral !scalerA.
by rewrite mulrC -numqE integral.
Qed.

Lemma derivation_constant (c : rat) : delta c%:A = 0.
Proof. by rewrite derivation_scale derivation1 scaler0. Qed.

Lemma derivation_inverse a : a \is a GRing.unit -> delta a^-1 = - (a^-1 * delta a * a^-1).
Proof.
move=> ua; have: delta (a * a^-1) = 0 by rewrite divrr ?derivation1.
rewrite leibniz addrC => /eqP; rewrite addr_eq0 => /eqP E.
by rewrite -[LHS](mulKr ua) E mulrN mulrA.
Qed.

Lemma derivation_sum (I : finType) (F : I -> R) : delta (\sum_i F i) = \sum_i delta (F i).
Proof. exact: raddf_sum. Qed.

Definition derivative m n (A : 'M[R]_(m, n)) : 'M[R]_(m, n) := map_mx delta A.
Definition constant m n (C : 'M[rat]_(m, n)) : 'M[R]_(m, n) := map_mx (in_alg R) C.

Lemma derivative_of_constant m n (C : 'M[rat]_(m, n)) : derivative (constant C) = 0.
Proof. by apply/matrixP=> i j; rewrite !mxE; exact: derivation_constant. Qed.

Lemma derivative_of_sum m n (A B : 'M[R]_(m, n)) : derivative (A + B) = derivative A + derivative B.
Proof. by apply/matrixP=> i j; rewrite !mxE raddfD. Qed.

Lemma derivative_of_negative m n (A : 'M[R]_(m, n)) : derivative (- A) = - derivative A.
Proof. by apply/matrixP=> i j; rewrite !mxE raddfN. Qed.

Lemma derivative_of_transpose m n (A : 'M[R]_(m, n)) : derivative A^T = (derivative A)^T.
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Lemma derivative_of_product m k n (A : 'M[R]_(m, k)) (B : 'M[R]_(k, n)) :
  derivative (A *m B) = derivative A *m B + A *m derivative B.
Proof.
apply/matrixP=> i j; rewrite !mxE derivation_sum -big_split.
by apply: eq_bigr => l _; rewrite leibniz !mxE.
Qed.

Lemma derivative_of_entrywise_product m n (A B : 'M[R]_(m, n)) :
  derivative (entrywise A B) = entrywise (derivative A) B + entrywise A (derivative B).
Proof. by apply/matrixP=> i j; rewrite !mxE leibniz. Qed.

Lemma derivative_of_column_products m n (A B : 'M[R]_(m, n)) :
  derivative (column_products A B) = column_products (derivative A) B + column_products A (derivative B).
Proof.
apply/matrixP=> i j; rewrite !mxE derivation_sum -big_split.
by apply: eq_bigr => l _; rewrite leibniz !mxE.
Qed.

Lemma derivative_of_spread_row m n (r : 'rV[R]_n) : derivative (spread_row m r) = spread_row m (derivative r).
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Lemma derivative_of_spread_column m n (c : 'cV[R]_m) :
  derivative (spread_column n c) = spread_column n (derivative c).
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Lemma derivative_of_centred m n (A : 'M[R]_(m, n)) : derivative (centred A) = centred (derivative A).
Proof.
apply/matrixP=> i j; rewrite !mxE raddfB derivation_scale derivation_sum.
by congr (_ - _ *: _); apply: eq_bigr => l _; rewrite mxE.
Qed.

Lemma derivative_of_part m n p q (f : 'I_p -> 'I_m) (g : 'I_q -> 'I_n) (A : 'M[R]_(m, n)) :
  derivative (mxsub f g A) = mxsub f g (derivative A).
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Lemma derivative_of_below m1 m2 n (A : 'M[R]_(m1, n)) (B : 'M[R]_(m2, n)) :
  derivative (col_mx A B) = col_mx (derivative A) (derivative B).
Proof. exact: map_col_mx. Qed.

Lemma derivative_of_beside m n1 n2 (A : 'M[R]_(m, n1)) (B : 'M[R]_(m, n2)) :
  derivative (row_mx A B) = row_mx (derivative A) (derivative B).
Proof. exact: map_row_mx. Qed.

(** ** Functions of each entry *)

(** 1/A moves by minus what multiplies the entries of A. *)
Lemma derivative_of_reciprocals m n (A H : 'M[R]_(m, n)) :
  units A -> derivative A = entrywise H A -> derivative (reciprocals A) = - entrywise H (reciprocals A).
Proof.
move=> uA E; apply/matrixP=> i j; move/matrixP/(_ i j): E; rewrite !mxE => E.
by rewrite derivation_inverse // E mulrA mulrK // mulrC.
Qed.

(** A root of A, any Y with Y * Y = A, moves by half of what multiplies the entries of A. *)
Lemma derivative_of_roots m n (A Y H : 'M[R]_(m, n)) :
  units Y -> entrywise Y Y = A -> derivative A = entrywise H A -> derivative Y = (2%:R^-1)%:A *: entrywise H Y.
Proof.
move=> uY <- E; apply/matrixP=> i j; move/matrixP/(_ i j): E; rewrite !mxE leibniz mulrA => E.
have /(mulIr (uY i j)) F : (delta (Y i j) + delta (Y i j)) * Y i j = H i j * Y i j * Y i j.
  by rewrite mulrDl -E [Y i j * _]mulrC.
by rewrite -F -mulr2n -scaler_nat -scalerAl mul1r scalerA mulVf ?scale1r.
Qed.

(** exp moves by itself times what the exponents move by. *)
Lemma derivative_of_exponentials m n (exp : R -> R) (A : 'M[R]_(m, n)) :
  (forall x, delta (exp x) = exp x * delta x) ->
  derivative (map_mx exp A) = entrywise (derivative A) (map_mx exp A).
Proof. by move=> law; apply/matrixP=> i j; rewrite !mxE law mulrC. Qed.

(** A gate, any function that does not move where its argument moves by a multiple of itself. *)
Lemma derivative_of_gates m n (gate : R -> R) (A H : 'M[R]_(m, n)) :
  (forall x a, delta x = a * x -> delta (gate x) = 0) ->
  derivative A = entrywise H A -> derivative (map_mx gate A) = 0.
Proof.
by move=> law E; apply/matrixP=> i j; move/matrixP/(_ i j): E; rewrite !mxE => /law.
Qed.

(** Any other function stays where its argument does. *)
Lemma derivative_of_functions m n (f : R -> R) (A : 'M[R]_(m, n)) :
  (forall x, delta x = 0 -> delta (f x) = 0) -> derivative A = 0 -> derivative (map_mx f A) = 0.
Proof. by move=> law E; apply/matrixP=> i j; move/matrixP/(_ i j): E; rewrite !mxE => /law. Qed.

(** ** Functions of each column *)

(** The largest entries of a column: any function that does not move where all entries of the column are multiplied by
one number and one number is added to all. *)
Lemma derivative_of_largest m n (largest : 'cV[R]_m -> 'cV[R]_m) (A : 'M[R]_(m, n)) (r : 'rV[R]_n) (d : 'cV[R]_n) :
  (forall (x : 'cV[R]_m) (a b : R), derivative x = const_mx a + b *: x -> derivative (largest x) = 0) ->
  derivative A = ones m 1 *m r + A *m diagonal d ->
  derivative (\matrix_(i, j) largest (col j A) i 0) = 0.
Proof.
move=> law E; apply/matrixP=> i j; rewrite !mxE.
suff /law/matrixP/(_ i 0): derivative (col j A) = const_mx (r 0 j) + d j 0 *: col j A by rewrite !mxE.
apply/matrixP=> k l; move/matrixP/(_ k j): E; rewrite [RHS]mxE one_entry diagonal_right.
by rewrite !mxE mul1r mulrC.
Qed.

(** Columns that are turned by matrices that do not move. *)
Lemma derivative_of_turned_columns m n (T : 'I_n -> 'M[R]_m) (A : 'M[R]_(m, n)) :
  (forall j, derivative (T j) = 0) -> derivative (turned_columns T A) = turned_columns T (derivative A).
Proof.
move=> still; apply/matrixP=> i j; rewrite !mxE derivation_sum; apply: eq_bigr => k _.
by move/matrixP/(_ i k): (still j); rewrite leibniz !mxE => ->; rewrite mul0r add0r.
Qed.

End Derivation.

(** What gates and the largest entries do where a finite motion goes, over an ordered field: nothing. *)
Section Order.

Variable F : realFieldType.

Lemma sign_of_multiple (x c : F) : 0 < c -> (0 < c * x) = (0 < x).
Proof. exact: pmulr_rgt0. Qed.

Lemma order_of_multiples (x y a c : F) : 0 < c -> (a + c * x < a + c * y) = (x < y).
Proof. by move=> c0; rewrite ltr_add2l ltr_pmul2l. Qed.

End Order.
