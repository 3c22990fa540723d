(** The rules at work: keys and queries that are changed by one matrix; and a ring with a derivation in which tensors
move, so that what is asked of functions and of the derivation contradicts nothing. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Formal Require Import derivations identities turns programs normal_form leibniz.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section KeysAndQueries.

Variables (R : comUnitAlgType rat) (world : reading R) (tokens : bool) (a d : nat).
Variable velocity : forall k m n : nat, word m n.

Let K := tensor 0 a d.
Let Q := tensor 1 a d.
Let S := Free a a.

(** K moves by S K, Q by - S^T Q. *)
Hypothesis key_moves : velocity 0 a d = Product S (Result K).
Hypothesis query_moves : velocity 1 a d = Times (-1) (Product (Turned S) (Result Q)).

Lemma scores_stay : moves world velocity tokens (product (transpose K) Q) (Zero d d).
Proof.
have keys : moves world velocity tokens K (Product S (Result K)) by rewrite -key_moves; exact: tensor_moves.
have queries : moves world velocity tokens Q (Times (-1) (Product (Turned S) (Result Q))).
  by rewrite -query_moves; exact: tensor_moves.
apply: moves_by_same (product_moves (transpose_moves keys) queries) _.
set W := Product (Product (Turned (Result K)) (Turned S)) (Result Q).
have left : same world (Product (Turned (Product S (Result K))) (Result Q)) W.
  by apply: same_product; [exact: turned_product | exact: same_itself].
have right : same world (Product (Result (transpose K)) (Times (-1) (Product (Turned S) (Result Q)))) (Times (-1) W).
  apply: same_through (product_with_times _ _ _ _) _; apply: same_times.
  apply: same_through (same_product (open_transpose _ _) (same_itself _ _)) _; exact: product_associates.
apply: same_through (same_plus left right) _.
apply: same_through (same_plus (same_back (times_one _ _)) (same_itself _ _)) _.
by apply: same_through (times_plus _ _ _ _) _; rewrite subrr; exact: times_zero.
Qed.

End KeysAndQueries.

(** Polynomials, the derivative, tensors all of whose entries are 'X, and functions that are zero. *)
Definition polynomial_ring : comUnitAlgType rat := [comUnitAlgType rat of {poly rat}].

Definition slope (f : polynomial_ring) : polynomial_ring := deriv (f : {poly rat}).

Lemma slope_is_additive : additive slope.
Proof. exact: derivB. Qed.

Definition slope_of : {additive polynomial_ring -> polynomial_ring} := Additive slope_is_additive.

Definition polynomials : reading polynomial_ring :=
  @Reading polynomial_ring (fun _ m n => const_mx ('X : {poly rat})) (fun m n => 0) (fun m n => 0)
    (fun _ => 0) (fun _ => 0) (fun _ => 0) (fun _ m _ => 0) (fun _ _ => 0) (fun _ => 1) (fun _ => 0).

Lemma polynomials_derivative m n (a : program m n) s :
  moves polynomials (fun _ m n => Ones m n) false a s -> defined polynomials a ->
  derivative slope_of (value polynomials a) = meaning polynomials s.
Proof.
apply: derivative_in_words => //.
- exact: derivM.
- move=> k p q; apply/matrixP=> i j; rewrite !mxE.
  by rewrite [slope_of _]derivX [RHS]scale1r.
- by move=> p q; apply/matrixP=> i j; rewrite !mxE raddf0.
- by move=> x; exact: derivC.
- by move=> x; exact: raddf0.
- by move=> x; rewrite oppr0.
- by move=> x; rewrite mul0r; exact: raddf0.
- by move=> x _; exact: raddf0.
- by move=> k p x _; apply/matrixP=> i j; rewrite !mxE raddf0.
- by move=> k x _; exact: raddf0.
Qed.
