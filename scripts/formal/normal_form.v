(** Words that are equal: the rules of the normal form, each of which is an identity of matrices. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Formal Require Import derivations identities turns programs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Equality.

Variables (R : comUnitAlgType rat) (world : reading R).

(** The normal form applies these from left to right, or from right to left. *)

Inductive same : forall m n, word m n -> word m n -> Prop :=
| same_itself m n (s : word m n) : same s s
| same_back m n (s t : word m n) : same s t -> same t s
| same_through m n (s t u : word m n) : same s t -> same t u -> same s u
(* parts *)
| same_plus m n (s s' t t' : word m n) : same s s' -> same t t' -> same (Plus s t) (Plus s' t')
| same_times m n c (s s' : word m n) : same s s' -> same (Times c s) (Times c s')
| same_turned m n (s s' : word m n) : same s s' -> same (Turned s) (Turned s')
| same_product m k n (s s' : word m k) (t t' : word k n) :
    same s s' -> same t t' -> same (Product s t) (Product s' t')
| same_diagonal m (s s' : word m 1) : same s s' -> same (Diagonal s) (Diagonal s')
| same_power m (s s' : word m 1) e : same s s' -> same (Power s e) (Power s' e)
| same_number m n (x x' : word 1 1) (s s' : word m n) : same x x' -> same s s' -> same (Number x s) (Number x' s')
| same_entries m n (s s' t t' : word m n) : same s s' -> same t t' -> same (Entries s t) (Entries s' t')
| same_rowdiag m (s s' : word m m) : same s s' -> same (Rowdiag s) (Rowdiag s')
(* sums and coefficients *)
| plus_commutes m n (s t : word m n) : same (Plus s t) (Plus t s)
| plus_associates m n (s t u : word m n) : same (Plus s (Plus t u)) (Plus (Plus s t) u)
| plus_zero m n (s : word m n) : same (Plus s (Zero m n)) s
| times_plus m n c d (s : word m n) : same (Plus (Times c s) (Times d s)) (Times (c + d) s)
| times_of_plus m n c (s t : word m n) : same (Times c (Plus s t)) (Plus (Times c s) (Times c t))
| times_times m n c d (s : word m n) : same (Times c (Times d s)) (Times (c * d) s)
| times_one m n (s : word m n) : same (Times 1 s) s
| times_zero m n (s : word m n) : same (Times 0 s) (Zero m n)
(* products *)
| product_associates m k l n (s : word m k) (t : word k l) (u : word l n) :
    same (Product s (Product t u)) (Product (Product s t) u)
| product_of_plus m k n (s t : word m k) (u : word k n) :
    same (Product (Plus s t) u) (Plus (Product s u) (Product t u))
| product_with_plus m k n (s : word m k) (t u : word k n) :
    same (Product s (Plus t u)) (Plus (Product s t) (Product s u))
| product_of_times m k n c (s : word m k) (t : word k n) : same (Product (Times c s) t) (Times c (Product s t))
| product_with_times m k n c (s : word m k) (t : word k n) : same (Product s (Times c t)) (Times c (Product s t))
| product_of_zero m k n (t : word k n) : same (Product (Zero m k) t) (Zero m n)
| product_with_zero m k n (s : word m k) : same (Product s (Zero k n)) (Zero m n)
(* transposes *)
| turned_twice m n (s : word m n) : same (Turned (Turned s)) s
| turned_plus m n (s t : word m n) : same (Turned (Plus s t)) (Plus (Turned s) (Turned t))
| turned_times m n c (s : word m n) : same (Turned (Times c s)) (Times c (Turned s))
| turned_product m k n (s : word m k) (t : word k n) : same (Turned (Product s t)) (Product (Turned t) (Turned s))
| turned_fixed m n (C : 'M[rat]_(m, n)) : same (Turned (Fixed C)) (Fixed C^T)
| turned_diagonal m (s : word m 1) : same (Turned (Diagonal s)) (Diagonal s)
(* constants *)
| fixed_plus m n (C D : 'M[rat]_(m, n)) : same (Plus (Fixed C) (Fixed D)) (Fixed (C + D))
| fixed_times m n c (C : 'M[rat]_(m, n)) : same (Times c (Fixed C)) (Fixed (c *: C))
| fixed_product m k n (C : 'M[rat]_(m, k)) (D : 'M[rat]_(k, n)) : same (Product (Fixed C) (Fixed D)) (Fixed (C *m D))
| fixed_zero m n : same (Fixed (0 : 'M_(m, n))) (Zero m n)
| fixed_identity m n (s : word m n) : same (Product (Fixed 1%:M) s) s
| fixed_diagonal m (C : 'M[rat]_(m, 1)) : same (Diagonal (Fixed C)) (Fixed (diag_mx C^T))
(* diagonal matrices *)
| diagonals_commute m (s t : word m 1) :
    same (Product (Diagonal s) (Diagonal t)) (Product (Diagonal t) (Diagonal s))
| diagonal_plus m (s t : word m 1) : same (Diagonal (Plus s t)) (Plus (Diagonal s) (Diagonal t))
| diagonal_times m c (s : word m 1) : same (Diagonal (Times c s)) (Times c (Diagonal s))
| diagonal_product m (s t : word m 1) :
    same (Diagonal (Product (Diagonal s) t)) (Product (Diagonal s) (Diagonal t))
| powers_of_one_column m (s : word m 1) e f : units (meaning world s) ->
    same (Product (Diagonal (Power s e)) (Diagonal (Power s f))) (Diagonal (Power s (e + f)))
| power_of_zero m (s : word m 1) n (t : word m n) : same (Product (Diagonal (Power s 0)) t) t
| power_of_one m (s : word m 1) : same (Power s 1) s
| power_of_diagonal m (s t : word m 1) e : units (meaning world s) -> units (meaning world t) ->
    same (Power (Product (Diagonal s) t) e) (Product (Diagonal (Power s e)) (Power t e))
| row_of_ones n (s : word 1 n) : same s (Product (Ones 1 n) (Diagonal (Turned s)))
| column_of_ones m (s : word m 1) : same s (Product (Diagonal s) (Ones m 1))
(* numbers *)
| number_in_product m n (s : word m 1) (x : word 1 1) (t : word 1 n) :
    same (Product (Product s x) t) (Number x (Product s t))
| number_turned m n (x : word 1 1) (s : word m n) : same (Number (Turned x) s) (Number x s)
| number_of_product m n (x y : word 1 1) (s : word m n) : same (Number (Product x y) s) (Number x (Number y s))
| number_powers m n (x : word 1 1) e f (s : word m n) : units (meaning world x) ->
    same (Number (Power x e) (Number (Power x f) s)) (Number (Power x (e + f)) s)
| numbers_commute m n (x y : word 1 1) (s : word m n) : same (Number x (Number y s)) (Number y (Number x s))
| number_plus m n (x : word 1 1) (s t : word m n) : same (Number x (Plus s t)) (Plus (Number x s) (Number x t))
| number_times m n (x : word 1 1) c (s : word m n) : same (Number x (Times c s)) (Times c (Number x s))
| number_fixed m n (C : 'M[rat]_1) (s : word m n) : same (Number (Fixed C) s) (Times (C 0 0) s)
| number_before m k n (x : word 1 1) (s : word m k) (t : word k n) :
    same (Product (Number x s) t) (Number x (Product s t))
| number_behind m k n (x : word 1 1) (s : word m k) (t : word k n) :
    same (Product s (Number x t)) (Number x (Product s t))
| number_of_turned m n (x : word 1 1) (s : word m n) : same (Turned (Number x s)) (Number x (Turned s))
| number_of_diagonal m (x : word 1 1) (s : word m 1) : same (Diagonal (Number x s)) (Number x (Diagonal s))
(* entrywise products *)
| entries_commute m n (s t : word m n) : same (Entries s t) (Entries t s)
| entries_plus m n (s t u : word m n) : same (Entries (Plus s t) u) (Plus (Entries s u) (Entries t u))
| entries_times m n c (s t : word m n) : same (Entries (Times c s) t) (Times c (Entries s t))
| entries_number m n (x : word 1 1) (s t : word m n) : same (Entries (Number x s) t) (Number x (Entries s t))
| entries_zero m n (s : word m n) : same (Entries (Zero m n) s) (Zero m n)
| entries_ones m n (s : word m n) : same (Entries (Ones m n) s) s
| entries_of_rank_one m n (u : word m 1) (v : word 1 n) (s : word m n) :
    same (Entries (Product u v) s) (Product (Product (Diagonal u) s) (Diagonal (Turned v)))
| entries_between_diagonals m n (u : word m 1) (v : word n 1) (s t : word m n) :
    same (Entries (Product (Product (Diagonal u) s) (Diagonal v)) t)
      (Product (Product (Diagonal u) (Entries s t)) (Diagonal v))
(* diagonals of square words *)
| rowdiag_plus m (s t : word m m) : same (Rowdiag (Plus s t)) (Plus (Rowdiag s) (Rowdiag t))
| rowdiag_times m c (s : word m m) : same (Rowdiag (Times c s)) (Times c (Rowdiag s))
| rowdiag_number m (x : word 1 1) (s : word m m) : same (Rowdiag (Number x s)) (Number x (Rowdiag s))
| rowdiag_turned m (s : word m m) : same (Rowdiag (Turned s)) (Rowdiag s)
| rowdiag_left m (u : word m 1) (s : word m m) :
    same (Rowdiag (Product (Diagonal u) s)) (Product (Rowdiag s) (Diagonal u))
| rowdiag_right m (u : word m 1) (s : word m m) :
    same (Rowdiag (Product s (Diagonal u))) (Product (Rowdiag s) (Diagonal u))
| rowdiag_rank_one m (u : word m 1) (v : word 1 m) :
    same (Rowdiag (Product u v)) (Product (Turned u) (Diagonal (Turned v)))
| rowdiag_fixed m (C : 'M[rat]_m) : same (Rowdiag (Fixed C)) (Fixed (\row_j C j j))
(* results, opened *)
| open_fixed m n (C : 'M[rat]_(m, n)) : same (Result (fixed C)) (Fixed C)
| open_add m n (a b : program m n) : same (Result (add a b)) (Plus (Result a) (Result b))
| open_negate m n (a : program m n) : same (Result (negate a)) (Times (-1) (Result a))
| open_transpose m n (a : program m n) : same (Result (transpose a)) (Turned (Result a))
| open_product m k n (a : program m k) (b : program k n) :
    same (Result (product a b)) (Product (Result a) (Result b))
| open_multiply m n (a b : program m n) : same (Result (multiply a b)) (Entries (Result a) (Result b))
| open_row m n (a : program 1 n) : same (Result (repeat_row m a)) (Product (Ones m 1) (Result a))
| open_column m n (a : program m 1) : same (Result (repeat_column n a)) (Product (Result a) (Ones 1 n))
| open_products m n (a b : program m n) :
    same (Result (products_of_columns a b)) (Rowdiag (Product (Turned (Result a)) (Result b)))
| open_centre m n (a : program m n) : same (Result (centre a)) (Product (Fixed (centring m)) (Result a))
| open_take m n p q (f : 'I_p -> 'I_m) (g : 'I_q -> 'I_n) (a : program m n) :
    same (Result (take f g a)) (Product (Product (Fixed (selection f)) (Result a)) (Turned (Fixed (selection g))))
| open_below m1 m2 n (a : program m1 n) (b : program m2 n) :
    same (Result (below a b)) (Plus (Product (Fixed (first m1 m2)) (Result a)) (Product (Fixed (second m1 m2)) (Result b)))
| open_beside m n1 n2 (a : program m n1) (b : program m n2) :
    same (Result (beside a b))
      (Plus (Product (Result a) (Turned (Fixed (first n1 n2)))) (Product (Result b) (Turned (Fixed (second n1 n2)))))
(* what columns add up to *)
| sum_of_shares m n (e : program m n) : units (ones 1 m *m value world e) ->
    same (Product (Ones 1 m) (Result (multiply e (repeat_row m (reciprocal (product (fixed (const_mx 1)) e))))))
      (Ones 1 n)
| sum_of_unit_vectors m n : (forall j, \sum_i inputs world m n i j = 1) ->
    same (Product (Ones 1 m) (Result (input m n))) (Ones 1 n)
| sum_beside_numbers m1 m2 n1 n2 k l (N : 'M[R]_(m1, n1)) (X : 'M[R]_(m2, n2)) (U : 'M[rat]_(k, m1))
    (c : 'M[rat]_(k, 1)) (W : 'M[rat]_(n2, l)) :
    inputs world (m1 + m2) (n1 + n2) = block_mx N 0 0 X -> (forall j, \sum_i X i j = 1) ->
    same (Product (Product (Fixed (row_mx U (c *m (const_mx 1 : 'rV_m2)))) (Result (input (m1 + m2) (n1 + n2))))
        (Fixed (col_mx 0 W)))
      (Product (Fixed (c *m (const_mx 1 : 'rV_(n1 + n2)))) (Fixed (col_mx 0 W)))
(* entries that are zero *)
| unseen m n k l (s : word k m) (a : program m n) (t : word n l) :
    (forall i j, value world a i j = 0 \/ col i (meaning world s) = 0 \/ row j (meaning world t) = 0) ->
    same (Product (Product s (Result a)) t) (Zero k l).

Ltac same_by_identity :=
  first [ exact: addrC | exact: addrA | exact: addr0 | exact: scalerDr | exact: scaler0 | exact: scale1r
        | exact: mulmxA | exact: mulmxDl | exact: mulmxDr | exact: mul0mx | exact: mulmx0 | exact: trmxK
        | exact: linearD | exact: linearZ | exact: trmx_mul | exact: raddf0
        | by rewrite -scalerDl -scalerDl | by rewrite scalerA -scalerAl mul1r scalerA
        | by rewrite !scale1r | by rewrite !scale0r | by rewrite -scalemxAl | by rewrite -scalemxAr
        | by rewrite constant_transpose | exact: diagonal_of_transpose
        | by rewrite constants_sum | by rewrite constant_multiple | by rewrite constants_product
        | by rewrite constant_identity mul1mx | exact: constant_diagonal
        | exact: identities.diagonals_commute | exact: diagonal_of_sum | exact: diagonal_of_multiple
        | exact: diagonal_of_product
        | by rewrite diagonals_product powers_product
        | by rewrite identities.power_of_zero diagonal_of_ones mul1mx | exact: identities.power_of_one
        | exact: identities.power_of_diagonal | exact: identities.row_of_ones | exact: identities.column_of_ones
        | exact: identities.number_in_product | by rewrite number_of_transpose
        | by rewrite identities.number_of_product scalerA
        | by rewrite !mxE scalerA -exprzDr
        | by rewrite !scalerA mulrC | by rewrite mxE
        | exact: entrywise_commutes | exact: entrywise_of_sum | exact: entrywise_of_multiple
        | exact: entrywise_of_ones | exact: entrywise_of_rank_one | exact: entrywise_between_diagonals
        | by apply/matrixP=> i j; rewrite !mxE mul0r
        | exact: rowdiag_of_sum | exact: rowdiag_of_multiple | exact: rowdiag_of_transpose | exact: rowdiag_of_left
        | exact: rowdiag_of_right | exact: rowdiag_of_rank_one | by apply/matrixP=> i j; rewrite !mxE
        | by rewrite !scaleN1r | exact: spread_row_as_product | exact: spread_column_as_product
        | exact: column_products_as_diagonal | exact: centred_as_product | exact: part_as_product
        | exact: below_as_sum | exact: beside_as_sum | exact: identities.sum_of_shares
        | exact: unseen_entries ].

Theorem same_words m n (s t : word m n) : same s t -> meaning world s = meaning world t.
Proof.
elim=> {m n s t} /=.
all: intros; rewrite ?constant_ones; try congruence.
all: try same_by_identity.
  by rewrite -[X in X *m _]mul1mx identities.sum_of_unit_vectors ?mul1mx.
match goal with E : inputs _ _ _ = _ |- _ => rewrite E end.
rewrite /constant map_row_mx map_col_mx map_mx0 -!/(constant R _) !constants_product !constant_ones.
exact: sum_of_unit_vectors_beside_numbers.
Qed.

End Equality.
