(** The derivative of a program in words, by the rule of Leibniz: what the rules find is what the derivative is, by
induction over the program. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Formal Require Import derivations identities turns programs normal_form.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Leibniz.

Variables (R : comUnitAlgType rat) (world : reading R).
Variable delta : {additive R -> R}.
Hypothesis leibniz : forall a b : R, delta (a * b) = delta a * b + a * delta b.

(** Tensors move by words, inputs and points of the circle do not. *)
Variable velocity : forall k m n : nat, word m n.
Hypothesis tensors_move : forall k m n, derivative delta (tensors world k m n) = meaning world (velocity k m n).
Hypothesis inputs_stay : forall m n, derivative delta (inputs world m n) = 0.
Hypothesis cosines_stay : forall x, delta (cosine world x) = 0.
Hypothesis sines_stay : forall x, delta (sine world x) = 0.
Hypothesis cosine_even : forall x, cosine world (- x) = cosine world x.
Hypothesis sine_odd : forall x, sine world (- x) = - sine world x.

(** Functions. Where there are tokens alone, gates stay whatever they are of. *)
Variable tokens : bool.
Hypothesis exp_moves : forall x, delta (exp_of world x) = exp_of world x * delta x.
Hypothesis gate_stays : forall x, tokens \/ (exists a, delta x = a * x) -> delta (gate_of world x) = 0.
Hypothesis largest_stays : forall k m (x : 'cV[R]_m),
  tokens \/ (exists a b : R, derivative delta x = const_mx a + b *: x) -> derivative delta (largest_of world k x) = 0.
Hypothesis function_stays : forall k x, delta x = 0 -> delta (function_of world k x) = 0.

(** A sum of C_i X D_i with constants and diagonal matrices. *)
Definition between m n (list : seq ('M[rat]_m * word n 1)) (x : word m n) : word m n :=
  foldr (fun one => Plus (Product (Product (Fixed one.1) x) (Diagonal one.2))) (Zero m n) list.

(** Its constants commute with the turns. *)
Definition commuting p n (angles : 'I_p -> rat) (list : seq ('M[rat]_(p + p) * word n 1)) : Prop :=
  foldr (fun one rest => one.1 *m quarter angles = quarter angles *m one.1 /\ rest) True list.

Inductive moves : forall m n, program m n -> word m n -> Prop :=
| tensor_moves k m n : moves (tensor k m n) (velocity k m n)
| input_stays m n : moves (input m n) (Zero m n)
| fixed_stays m n (C : 'M[rat]_(m, n)) : moves (fixed C) (Zero m n)
| add_moves m n (a b : program m n) s t : moves a s -> moves b t -> moves (add a b) (Plus s t)
| negate_moves m n (a : program m n) s : moves a s -> moves (negate a) (Times (-1) s)
| transpose_moves m n (a : program m n) s : moves a s -> moves (transpose a) (Turned s)
| product_moves m k n (a : program m k) (b : program k n) s t : moves a s -> moves b t ->
    moves (product a b) (Plus (Product s (Result b)) (Product (Result a) t))
| multiply_moves m n (a b : program m n) s t : moves a s -> moves b t ->
    moves (multiply a b) (Plus (Entries s (Result b)) (Entries (Result a) t))
| row_moves m n (a : program 1 n) s : moves a s -> moves (repeat_row m a) (Product (Ones m 1) s)
| column_moves m n (a : program m 1) s : moves a s -> moves (repeat_column n a) (Product s (Ones 1 n))
| products_move m n (a b : program m n) s t : moves a s -> moves b t ->
    moves (products_of_columns a b)
      (Plus (Rowdiag (Product (Turned s) (Result b))) (Rowdiag (Product (Turned (Result a)) t)))
| centre_moves m n (a : program m n) s : moves a s -> moves (centre a) (Product (Fixed (centring m)) s)
| take_moves m n p q (f : 'I_p -> 'I_m) (g : 'I_q -> 'I_n) (a : program m n) s : moves a s ->
    moves (take f g a) (Product (Product (Fixed (selection f)) s) (Turned (Fixed (selection g))))
| below_moves m1 m2 n (a : program m1 n) (b : program m2 n) s t : moves a s -> moves b t ->
    moves (below a b) (Plus (Product (Fixed (first m1 m2)) s) (Product (Fixed (second m1 m2)) t))
| beside_moves m n1 n2 (a : program m n1) (b : program m n2) s t : moves a s -> moves b t ->
    moves (beside a b) (Plus (Product s (Turned (Fixed (first n1 n2)))) (Product t (Turned (Fixed (second n1 n2)))))
| rotate_moves p n (angles : 'I_p -> rat) (positions : 'I_n -> nat) (a : program (p + p) n) s list :
    moves a s -> same world s (between list (Result a)) ->
    commuting angles list -> moves (rotate angles positions a) (between list (Result (rotate angles positions a)))
| reciprocal_moves m n (a : program m n) s h : moves a s -> same world s (Entries h (Result a)) ->
    moves (reciprocal a) (Times (-1) (Entries h (Result (reciprocal a))))
| sqrt_moves m n (a : program m n) s h : moves a s -> same world s (Entries h (Result a)) ->
    moves (sqrt a) (Times 2%:R^-1 (Entries h (Result (sqrt a))))
| exp_moves_by m n (a : program m n) s : moves a s -> moves (exp a) (Entries s (Result (exp a)))
| positive_stays m n (a : program m n) s h : moves a s -> tokens \/ same world s (Entries h (Result a)) ->
    moves (positive a) (Zero m n)
| largest_stays_by k m n (a : program m n) s r d : moves a s ->
    tokens \/ same world s (Plus (Product (Ones m 1) r) (Product (Result a) (Diagonal d))) ->
    moves (largest k a) (Zero m n)
| other_stays k m n (a : program m n) : moves a (Zero m n) -> moves (other k a) (Zero m n)
| moves_by_same m n (a : program m n) s t : moves a s -> same world s t -> moves a t.

Let turns n p (angles : 'I_p -> rat) (positions : 'I_n -> nat) j :=
  turn (cosine world) (sine world) angles (positions j).

Lemma turned_columns_of_sum m n (T : 'I_n -> 'M[R]_m) (A B : 'M[R]_(m, n)) :
  turned_columns T (A + B) = turned_columns T A + turned_columns T B.
Proof. by apply/matrixP=> i j; rewrite !mxE -big_split; apply: eq_bigr => k _; rewrite mxE mulrDr. Qed.

Lemma turned_between p n (angles : 'I_p -> rat) (positions : 'I_n -> nat) (a : program (p + p) n) list :
  commuting angles list -> meaning world (between list (Result (rotate angles positions a))) =
  turned_columns (turns angles positions) (meaning world (between list (Result a))).
Proof.
elim: list => [|one list IH] /= => [_|[commute /IH ->]].
  by apply/matrixP=> i j; rewrite !mxE big1 // => k _; rewrite [X in _ * X]mxE mulr0.
rewrite turned_columns_of_sum turned_columns_between // => j.
exact: constant_commutes_with_turns.
Qed.

Lemma turns_stay n p (angles : 'I_p -> rat) (positions : 'I_n -> nat) j :
  derivative delta (turns angles positions j) = 0.
Proof.
apply/matrixP=> f g; rewrite !mxE; case: split => k; rewrite !mxE; case: split => l;
  by rewrite !mxE ?raddfN raddfMn ?cosines_stay ?sines_stay mul0rn ?oppr0.
Qed.

Theorem derivative_in_words m n (a : program m n) s :
  moves a s -> defined world a -> derivative delta (value world a) = meaning world s.
Proof.
elim=> {m n a s} /=.
- by move=> k m n _; exact: tensors_move.
- by move=> m n _; exact: inputs_stay.
- by move=> m n C _; exact: derivative_of_constant.
- by move=> m n a b s t _ IHa _ IHb [/IHa <- /IHb <-]; exact: derivative_of_sum.
- by move=> m n a s _ IH /IH <-; rewrite derivative_of_negative scaleN1r scaleN1r.
- by move=> m n a s _ IH /IH <-; exact: derivative_of_transpose.
- by move=> m k n a b s t _ IHa _ IHb [/IHa <- /IHb <-]; exact: derivative_of_product.
- by move=> m n a b s t _ IHa _ IHb [/IHa <- /IHb <-]; exact: derivative_of_entrywise_product.
- by move=> m n a s _ IH /IH <-; rewrite derivative_of_spread_row constant_ones spread_row_as_product.
- by move=> m n a s _ IH /IH <-; rewrite derivative_of_spread_column constant_ones spread_column_as_product.
- move=> m n a b s t _ IHa _ IHb [/IHa <- /IHb <-].
  by rewrite derivative_of_column_products // !column_products_as_diagonal.
- by move=> m n a s _ IH /IH <-; rewrite derivative_of_centred // centred_as_product.
- by move=> m n p q f g a s _ IH /IH <-; rewrite derivative_of_part part_as_product.
- by move=> m1 m2 n a b s t _ IHa _ IHb [/IHa <- /IHb <-]; rewrite derivative_of_below below_as_sum.
- by move=> m n1 n2 a b s t _ IHa _ IHb [/IHa <- /IHb <-]; rewrite derivative_of_beside beside_as_sum.
- move=> p n angles positions a s list _ IH /same_words E commute /IH D.
  rewrite turned_between // -E -D; apply: derivative_of_turned_columns => // j; exact: turns_stay.
- move=> m n a s h _ IH /same_words E [/IH D u].
  by rewrite scaleN1r scaleN1r; apply: derivative_of_reciprocals => //; rewrite D E.
- move=> m n a s h _ IH /same_words E [/IH D [u root]].
  by apply: (derivative_of_roots leibniz u root); rewrite D E.
- by move=> m n a s _ IH /IH <-; exact: derivative_of_exponentials.
- move=> m n a s h _ IH [all_stay|/same_words E] /IH D.
    by apply/matrixP=> i j; rewrite !mxE gate_stays //; left.
  by apply: derivative_of_gates => [x b law|]; [apply: gate_stays; right; exists b | rewrite D E].
- move=> k m n a s r d _ IH [all_stay|/same_words E] /IH D.
    apply/matrixP=> i j; rewrite !mxE.
    by have /matrixP/(_ i 0) := largest_stays k (x := col j (value world a)) (or_introl all_stay); rewrite !mxE.
  apply: derivative_of_largest => [x b c law|]; first by apply: largest_stays; right; exists b, c.
  by rewrite D E /= constant_ones.
- by move=> k m n a _ IH /IH D; apply: derivative_of_functions => // x; exact: function_stays.
- by move=> m n a s t _ IH /same_words <- /IH.
Qed.

(** What the verifier decides: the empty sum. *)
Corollary value_stays m n (a : program m n) :
  moves a (Zero m n) -> defined world a -> derivative delta (value world a) = 0.
Proof. exact: derivative_in_words. Qed.

End Leibniz.
