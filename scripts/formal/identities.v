(** Identities of matrices by which words are brought to their normal form. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Formal Require Import derivations.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Identities.

Variable R : comUnitAlgType rat.

(** ** Constants over Q *)

Lemma constants_sum m n (C D : 'M[rat]_(m, n)) : constant R (C + D) = constant R C + constant R D.
Proof. exact: map_mxD. Qed.

Lemma constants_product m k n (C : 'M[rat]_(m, k)) (D : 'M[rat]_(k, n)) :
  constant R (C *m D) = constant R C *m constant R D.
Proof. exact: map_mxM. Qed.

Lemma constant_multiple m n (c : rat) (C : 'M[rat]_(m, n)) : constant R (c *: C) = c%:A *: constant R C.
Proof. exact: map_mxZ. Qed.

Lemma constant_transpose m n (C : 'M[rat]_(m, n)) : constant R C^T = (constant R C)^T.
Proof. by rewrite /constant map_trmx. Qed.

Lemma constant_identity n : constant R (1%:M : 'M_n) = 1%:M.
Proof. exact: map_mx1. Qed.

Lemma constant_zero m n : constant R (0 : 'M_(m, n)) = 0.
Proof. exact: map_mx0. Qed.

Lemma constant_ones m n : constant R (const_mx 1 : 'M_(m, n)) = ones m n.
Proof. by apply/matrixP=> i j; rewrite !mxE; exact: scale1r. Qed.

Lemma constant_diagonal m (C : 'M[rat]_(m, 1)) : diagonal (constant R C) = constant R (diag_mx C^T).
Proof. by apply/matrixP=> i j; rewrite !mxE raddfMn. Qed.

Lemma constant_of_rank_one m n (C : 'M[rat]_(m, 1)) (D : 'M[rat]_(1, n)) (E : 'M[rat]_(m, n)) :
  E = C *m D -> constant R E = constant R C *m constant R D.
Proof. by move=> ->; exact: constants_product. Qed.

Lemma constant_by_rows m n (C : 'M[rat]_(m, n)) :
  constant R C = \sum_k constant R (col k 1%:M) *m constant R (row k C).
Proof.
under eq_bigr do rewrite -constants_product.
rewrite -(big_morph _ (@constants_sum m n) (@constant_zero m n)); congr constant.
apply/matrixP=> i j; rewrite summxE (bigD1 i) //= big1 => [|k /negbTE ki];
  by rewrite mxE big_ord_recl big_ord0 !mxE ?eqxx ?mul1r ?addr0 // eq_sym ki mul0r.
Qed.

(** ** Numbers: parts of one entry *)

Lemma number_of_transpose (w : 'M[R]_1) : w^T = w.
Proof. by apply/matrixP=> i j; rewrite mxE !ord1. Qed.

Lemma number_in_product m n (A : 'M[R]_(m, 1)) (w : 'M[R]_1) (B : 'M[R]_(1, n)) :
  A *m w *m B = w 0 0 *: (A *m B).
Proof. by rewrite [w]mx11_scalar mul_mx_scalar -scalemxAl mxE. Qed.

Lemma number_of_product (v w : 'M[R]_1) : (v *m w) 0 0 = v 0 0 * w 0 0.
Proof. exact: one_entry. Qed.

(** ** Diagonal matrices *)

Lemma diagonals_product m (v w : 'cV[R]_m) : diagonal v *m diagonal w = diagonal (entrywise v w).
Proof. by apply/matrixP=> i j; rewrite diagonal_left !mxE mulrnAr. Qed.

Lemma diagonals_commute m (v w : 'cV[R]_m) : diagonal v *m diagonal w = diagonal w *m diagonal v.
Proof. by rewrite !diagonals_product; congr diagonal; apply/matrixP=> i j; rewrite !mxE mulrC. Qed.

Lemma diagonal_of_transpose m (w : 'cV[R]_m) : (diagonal w)^T = diagonal w.
Proof. exact: tr_diag_mx. Qed.

Lemma diagonal_of_product m (v w : 'cV[R]_m) : diagonal (diagonal v *m w) = diagonal v *m diagonal w.
Proof. by apply/matrixP=> i j; rewrite diagonal_left !diagonal_entry diagonal_left mulrnAr. Qed.

Lemma diagonal_of_ones m : diagonal (ones m 1) = 1%:M :> 'M[R]_m.
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Lemma diagonal_of_multiple m (a : R) (w : 'cV[R]_m) : diagonal (a *: w) = a *: diagonal w.
Proof. by apply/matrixP=> i j; rewrite !mxE mulrnAr. Qed.

Lemma diagonal_of_sum m (v w : 'cV[R]_m) : diagonal (v + w) = diagonal v + diagonal w.
Proof. by rewrite /diagonal linearD linearD. Qed.

Lemma powers_product m (w : 'cV[R]_m) (e f : int) :
  units w -> entrywise (power w e) (power w f) = power w (e + f).
Proof. by move=> u; apply/matrixP=> i j; rewrite !mxE exprzDr. Qed.

Lemma power_of_zero m (w : 'cV[R]_m) : power w 0 = ones m 1.
Proof. by apply/matrixP=> i j; rewrite !mxE expr0z. Qed.

Lemma power_of_one m (w : 'cV[R]_m) : power w 1 = w.
Proof. by apply/matrixP=> i j; rewrite !mxE expr1z (ord1 j). Qed.

Lemma power_of_multiple m (a : R) (w : 'cV[R]_m) (e : int) :
  a \is a GRing.unit -> units w -> power (a *: w) e = a ^ e *: power w e.
Proof. by move=> ua u; apply/matrixP=> i j; rewrite !mxE exprMz_comm //; exact: mulrC. Qed.

Lemma power_of_diagonal m (v w : 'cV[R]_m) (e : int) :
  units v -> units w -> power (diagonal v *m w) e = diagonal (power v e) *m power w e.
Proof.
move=> uv u; apply/matrixP=> i j; rewrite diagonal_left mxE diagonal_left exprMz_comm ?mxE //; exact: mulrC.
Qed.

(** A row is a row of ones before a diagonal matrix, a column a column of ones behind one. *)
Lemma row_of_ones n (r : 'rV[R]_n) : r = ones 1 n *m diagonal r^T.
Proof. by apply/matrixP=> i j; rewrite diagonal_right !mxE mul1r (ord1 i). Qed.

Lemma column_of_ones m (w : 'cV[R]_m) : w = diagonal w *m ones m 1.
Proof. by apply/matrixP=> i j; rewrite diagonal_left mxE mulr1 (ord1 j). Qed.

(** ** Entrywise products and columns that are multiplied *)

Lemma entrywise_commutes m n (A B : 'M[R]_(m, n)) : entrywise A B = entrywise B A.
Proof. by apply/matrixP=> i j; rewrite !mxE mulrC. Qed.

Lemma entrywise_of_sum m n (A B C : 'M[R]_(m, n)) : entrywise (A + B) C = entrywise A C + entrywise B C.
Proof. by apply/matrixP=> i j; rewrite !mxE mulrDl. Qed.

Lemma entrywise_of_multiple m n (a : R) (A B : 'M[R]_(m, n)) : entrywise (a *: A) B = a *: entrywise A B.
Proof. by apply/matrixP=> i j; rewrite !mxE mulrA. Qed.

Lemma entrywise_of_ones m n (A : 'M[R]_(m, n)) : entrywise (ones m n) A = A.
Proof. by apply/matrixP=> i j; rewrite !mxE mul1r. Qed.

(** What has rank one becomes diagonal matrices on both sides: so rows that are added before exp become factors. *)
Lemma entrywise_of_rank_one m n (u : 'cV[R]_m) (v : 'rV[R]_n) (B : 'M[R]_(m, n)) :
  entrywise (u *m v) B = diagonal u *m B *m diagonal v^T.
Proof. by apply/matrixP=> i j; rewrite mxE one_entry diagonal_right diagonal_left [v^T _ _]mxE mulrAC. Qed.

Lemma entrywise_between_diagonals m n (u : 'cV[R]_m) (v : 'cV[R]_n) (A B : 'M[R]_(m, n)) :
  entrywise (diagonal u *m A *m diagonal v) B = diagonal u *m entrywise A B *m diagonal v.
Proof.
apply/matrixP=> i j; rewrite mxE !diagonal_right !diagonal_left mxE.
by rewrite mulrAC mulrA.
Qed.

Lemma spread_row_as_product m n (r : 'rV[R]_n) : spread_row m r = ones m 1 *m r.
Proof. by apply/matrixP=> i j; rewrite one_entry !mxE mul1r. Qed.

Lemma spread_column_as_product m n (c : 'cV[R]_m) : spread_column n c = c *m ones 1 n.
Proof. by apply/matrixP=> i j; rewrite one_entry !mxE mulr1. Qed.

Lemma column_products_as_diagonal m n (A B : 'M[R]_(m, n)) : column_products A B = rowdiag (A^T *m B).
Proof. by apply/matrixP=> i j; rewrite !mxE; apply: eq_bigr => k _; rewrite mxE. Qed.

Lemma rowdiag_of_left m (w : 'cV[R]_m) (A : 'M[R]_m) : rowdiag (diagonal w *m A) = rowdiag A *m diagonal w.
Proof. by apply/matrixP=> i j; rewrite mxE diagonal_left diagonal_right mxE mulrC. Qed.

Lemma rowdiag_of_right m (w : 'cV[R]_m) (A : 'M[R]_m) : rowdiag (A *m diagonal w) = rowdiag A *m diagonal w.
Proof. by apply/matrixP=> i j; rewrite mxE !diagonal_right mxE. Qed.

Lemma rowdiag_of_transpose m (A : 'M[R]_m) : rowdiag A^T = rowdiag A.
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Lemma rowdiag_of_rank_one m (u : 'cV[R]_m) (v : 'rV[R]_m) : rowdiag (u *m v) = u^T *m diagonal v^T.
Proof. by apply/matrixP=> i j; rewrite mxE one_entry diagonal_right !mxE (ord1 i). Qed.

Lemma rowdiag_of_sum m (A B : 'M[R]_m) : rowdiag (A + B) = rowdiag A + rowdiag B.
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Lemma rowdiag_of_multiple m (a : R) (A : 'M[R]_m) : rowdiag (a *: A) = a *: rowdiag A.
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Lemma rowdiag_of_identity m : rowdiag (1%:M : 'M[R]_m) = ones 1 m.
Proof. by apply/matrixP=> i j; rewrite !mxE eqxx. Qed.

(** ** Parts, joins and means are products with constants *)

Definition selection p m (f : 'I_p -> 'I_m) : 'M[rat]_(p, m) := \matrix_(i, j) (f i == j)%:R.
Definition centring m : 'M[rat]_m := 1%:M - const_mx m%:R^-1.
Definition first m1 m2 : 'M[rat]_(m1 + m2, m1) := col_mx 1%:M 0.
Definition second m1 m2 : 'M[rat]_(m1 + m2, m2) := col_mx 0 1%:M.

Lemma part_as_product m n p q (f : 'I_p -> 'I_m) (g : 'I_q -> 'I_n) (A : 'M[R]_(m, n)) :
  mxsub f g A = constant R (selection f) *m A *m (constant R (selection g))^T.
Proof.
apply/matrixP=> i j; rewrite !mxE (bigD1 (g j)) //= big1 ?addr0 => [|l /negbTE gl]; last first.
  by rewrite !mxE eq_sym gl [in_alg _ _]scale0r mulr0.
rewrite !mxE eqxx [in_alg _ _]scale1r mulr1 (bigD1 (f i)) //= big1 ?addr0 => [|k /negbTE fk]; last first.
  by rewrite !mxE eq_sym fk [in_alg _ _]scale0r mul0r.
by rewrite !mxE eqxx [in_alg _ _]scale1r mul1r.
Qed.

Lemma below_as_sum m1 m2 n (A : 'M[R]_(m1, n)) (B : 'M[R]_(m2, n)) :
  col_mx A B = constant R (first m1 m2) *m A + constant R (second m1 m2) *m B.
Proof.
by rewrite /constant !map_col_mx !map_mx1 !map_mx0 !mul_col_mx !mul1mx !mul0mx add_col_mx addr0 add0r.
Qed.

Lemma beside_as_sum m n1 n2 (A : 'M[R]_(m, n1)) (B : 'M[R]_(m, n2)) :
  row_mx A B = A *m (constant R (first n1 n2))^T + B *m (constant R (second n1 n2))^T.
Proof.
by apply: trmx_inj; rewrite linearD /= !trmx_mul !trmxK tr_row_mx below_as_sum.
Qed.

Lemma centred_as_product m n (A : 'M[R]_(m, n)) : centred A = constant R (centring m) *m A.
Proof.
rewrite /constant map_mxB map_mx1 mulmxBl mul1mx; apply/matrixP=> i j; rewrite !mxE; congr (_ - _).
by rewrite scaler_sumr; apply: eq_bigr => k _; rewrite !mxE -scalerAl mul1r.
Qed.

(** ** What columns add up to *)

(** Columns that were centred add up to zero. *)
Lemma sum_of_centred m n (A : 'M[R]_(m.+1, n)) : ones 1 m.+1 *m centred A = 0.
Proof.
apply/matrixP=> i j; rewrite !mxE.
under eq_bigr do rewrite !mxE mul1r.
by rewrite big_split /= sumrN sumr_const card_ord -scaler_nat scalerA mulfV ?scale1r ?subrr ?pnatr_eq0.
Qed.

(** The columns of e * 1/(1^T e), a softmax, add up to one. *)
Lemma sum_of_shares m n (e : 'M[R]_(m, n)) :
  units (ones 1 m *m e) ->
  ones 1 m *m entrywise e (spread_row m (reciprocals (ones 1 m *m e))) = ones 1 n.
Proof.
move=> u; apply/matrixP=> i j; rewrite !mxE.
transitivity ((ones 1 m *m e) 0 j * ((ones 1 m *m e) 0 j)^-1); last by rewrite divrr.
by rewrite [X in X * _]mxE mulr_suml; apply: eq_bigr => k _; rewrite !mxE !mul1r.
Qed.

(** Unit vectors are seen as ones by a matrix with equal columns, also below numbers. *)
Lemma sum_of_unit_vectors m n k (c : 'cV[R]_k) (X : 'M[R]_(m, n)) :
  (forall j, \sum_i X i j = 1) -> c *m ones 1 m *m X = c *m ones 1 n.
Proof.
move=> sums; rewrite -mulmxA; congr (_ *m _); apply/matrixP=> i j; rewrite !mxE -(sums j).
by apply: eq_bigr => l _; rewrite mxE mul1r.
Qed.

Lemma sum_of_unit_vectors_beside_numbers m1 m2 n1 n2 k p (U : 'M[R]_(k, m1)) (c : 'cV[R]_k)
    (N : 'M[R]_(m1, n1)) (X : 'M[R]_(m2, n2)) (W : 'M[R]_(n2, p)) :
  (forall j, \sum_i X i j = 1) ->
  row_mx U (c *m ones 1 m2) *m block_mx N 0 0 X *m col_mx 0 W = c *m ones 1 (n1 + n2) *m col_mx 0 W.
Proof.
move=> sums; rewrite mul_row_block !mulmx0 add0r addr0 mul_row_col mulmx0 add0r sum_of_unit_vectors //.
have -> : ones 1 (n1 + n2) = row_mx (ones 1 n1) (ones 1 n2) :> 'M[R]_(_, _).
  by rewrite /ones row_mx_const.
by rewrite -!mulmxA mul_row_col mulmx0 add0r.
Qed.

(** ** Entries that are zero *)

(** Constants that see only entries of a result that are zero. *)
Lemma unseen_entries k m n l (L : 'M[R]_(k, m)) (X : 'M[R]_(m, n)) (K : 'M[R]_(n, l)) :
  (forall i j, X i j = 0 \/ col i L = 0 \/ row j K = 0) -> L *m X *m K = 0.
Proof.
move=> zero; apply/matrixP=> a b; rewrite !mxE big1 // => j _; rewrite mxE mulr_suml big1 // => i _.
by case: (zero i j) => [->|[/matrixP/(_ a 0)|/matrixP/(_ 0 b)]]; rewrite ?mxE ?mulr0 ?mul0r // => ->;
  rewrite ?mulr0 ?mul0r.
Qed.

Lemma column_through_diagonal k m (L : 'M[R]_(k, m)) (w : 'cV[R]_m) i : col i L = 0 -> col i (L *m diagonal w) = 0.
Proof.
move=> E; apply/matrixP=> a b; have F : L a i = 0 by move/matrixP/(_ a 0): E; rewrite !mxE.
by rewrite mxE diagonal_right F mul0r mxE.
Qed.

Lemma support_of_entrywise m n (A B : 'M[R]_(m, n)) i j : A i j = 0 -> entrywise A B i j = 0.
Proof. by rewrite mxE => ->; rewrite mul0r. Qed.

(** ** Turned columns *)

Lemma column_of_product k m n (C : 'M[R]_(k, m)) (B : 'M[R]_(m, n)) j : col j (C *m B) = C *m col j B.
Proof. by apply/matrixP=> i l; rewrite !mxE; apply: eq_bigr => a _; rewrite !mxE. Qed.

Lemma turned_columns_between m n (T : 'I_n -> 'M[R]_m) (C : 'M[R]_m) (A : 'M[R]_(m, n)) (d : 'cV[R]_n) :
  (forall j, T j *m C = C *m T j) ->
  turned_columns T (C *m A *m diagonal d) = C *m turned_columns T A *m diagonal d.
Proof.
move=> commute; have entry (B : 'M[R]_(m, n)) j : col j (turned_columns T B) = T j *m col j B.
  by apply/matrixP=> i k; rewrite !mxE; apply: eq_bigr => l _; rewrite !mxE.
apply/matrixP=> i j; rewrite diagonal_right.
have turn (B : 'M[R]_(m, n)) : turned_columns T B i j = (T j *m col j B) i 0 by rewrite -entry [RHS]mxE.
rewrite turn; have -> : col j (C *m A *m diagonal d) = d j 0 *: (C *m col j A).
  by apply/matrixP=> k l; rewrite [LHS]mxE diagonal_right mulrC [RHS]mxE -column_of_product [in RHS]mxE.
rewrite -scalemxAr mulmxA commute -mulmxA -entry -column_of_product [LHS]mxE mulrC; congr (_ * _).
by rewrite [LHS]mxE.
Qed.

End Identities.
