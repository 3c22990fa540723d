(** Programs and words: what they are, and the matrices that they stand for. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Formal Require Import derivations identities turns.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Programs. A result that several instructions take is written several times. *)

Inductive program : nat -> nat -> Type :=
| tensor (k m n : nat) : program m n
| input (m n : nat) : program m n
| fixed m n (C : 'M[rat]_(m, n)) : program m n
| add m n (a b : program m n) : program m n
| negate m n (a : program m n) : program m n
| transpose m n (a : program m n) : program n m
| product m k n (a : program m k) (b : program k n) : program m n
| multiply m n (a b : program m n) : program m n
| repeat_row m n (a : program 1 n) : program m n
| repeat_column m n (a : program m 1) : program m n
| products_of_columns m n (a b : program m n) : program 1 n
| centre m n (a : program m n) : program m n
| take m n p q (f : 'I_p -> 'I_m) (g : 'I_q -> 'I_n) (a : program m n) : program p q
| below m1 m2 n (a : program m1 n) (b : program m2 n) : program (m1 + m2) n
| beside m n1 n2 (a : program m n1) (b : program m n2) : program m (n1 + n2)
| rotate p n (angles : 'I_p -> rat) (positions : 'I_n -> nat) (a : program (p + p) n) : program (p + p) n
| reciprocal m n (a : program m n) : program m n
| sqrt m n (a : program m n) : program m n
| exp m n (a : program m n) : program m n
| positive m n (a : program m n) : program m n
| largest (k : nat) m n (a : program m n) : program m n
| other (k : nat) m n (a : program m n) : program m n.

(** ** Sums of words. [Entries] stands for entrywise products until a rule removes it. *)

Inductive word : nat -> nat -> Type :=
| Zero m n : word m n
| Plus m n (s t : word m n) : word m n
| Times m n (c : rat) (s : word m n) : word m n
| Result m n (a : program m n) : word m n
| Fixed m n (C : 'M[rat]_(m, n)) : word m n
| Free m n : word m n
| Turned m n (s : word m n) : word n m
| Product m k n (s : word m k) (t : word k n) : word m n
| Diagonal m (s : word m 1) : word m m
| Power m (s : word m 1) (e : int) : word m 1
| Number m n (x : word 1 1) (s : word m n) : word m n
| Entries m n (s t : word m n) : word m n
| Rowdiag m (s : word m m) : word 1 m.

Notation Ones m n := (Fixed (const_mx 1 : 'M[rat]_(m, n))).

(** ** What programs read, and functions of which nothing is asked here *)

Record reading (R : comUnitAlgType rat) := Reading {
  tensors : forall k m n : nat, 'M[R]_(m, n);
  inputs : forall m n : nat, 'M[R]_(m, n);
  free : forall m n : nat, 'M[R]_(m, n);
  exp_of : R -> R;
  root_of : R -> R;
  gate_of : R -> R;
  largest_of : nat -> forall m, 'cV[R]_m -> 'cV[R]_m;
  function_of : nat -> R -> R;
  cosine : rat -> R;
  sine : rat -> R
}.

Section Meaning.

Variables (R : comUnitAlgType rat) (world : reading R).

Fixpoint value m n (a : program m n) : 'M[R]_(m, n) :=
  match a in program m n return 'M[R]_(m, n) with
  | tensor k m n => tensors world k m n
  | input m n => inputs world m n
  | fixed m n C => constant R C
  | add m n a b => value a + value b
  | negate m n a => - value a
  | transpose m n a => (value a)^T
  | product m k n a b => value a *m value b
  | multiply m n a b => entrywise (value a) (value b)
  | repeat_row m n a => spread_row m (value a)
  | repeat_column m n a => spread_column n (value a)
  | products_of_columns m n a b => column_products (value a) (value b)
  | centre m n a => centred (value a)
  | take m n p q f g a => mxsub f g (value a)
  | below m1 m2 n a b => col_mx (value a) (value b)
  | beside m n1 n2 a b => row_mx (value a) (value b)
  | rotate p n angles positions a =>
      turned_columns (fun j => turn (cosine world) (sine world) angles (positions j)) (value a)
  | reciprocal m n a => reciprocals (value a)
  | sqrt m n a => map_mx (root_of world) (value a)
  | exp m n a => map_mx (exp_of world) (value a)
  | positive m n a => map_mx (gate_of world) (value a)
  | largest k m n a => \matrix_(i, j) largest_of world k (col j (value a)) i 0
  | other k m n a => map_mx (function_of world k) (value a)
  end.

(** Where a program has a value: nothing is divided by zero, and roots are roots. *)
Fixpoint defined m n (a : program m n) : Prop :=
  match a with
  | tensor _ _ _ | input _ _ | fixed _ _ _ => True
  | negate _ _ a | transpose _ _ a | repeat_row _ _ a | repeat_column _ _ a | centre _ _ a
  | take _ _ _ _ _ _ a | rotate _ _ _ _ a | exp _ _ a | positive _ _ a | largest _ _ _ a | other _ _ _ a => defined a
  | add _ _ a b | multiply _ _ a b | products_of_columns _ _ a b => defined a /\ defined b
  | product _ _ _ a b => defined a /\ defined b
  | below _ _ _ a b => defined a /\ defined b
  | beside _ _ _ a b => defined a /\ defined b
  | reciprocal _ _ a => defined a /\ units (value a)
  | sqrt _ _ a =>
      let y := map_mx (root_of world) (value a) in defined a /\ units y /\ entrywise y y = value a
  end.

Fixpoint meaning m n (s : word m n) : 'M[R]_(m, n) :=
  match s in word m n return 'M[R]_(m, n) with
  | Zero m n => 0
  | Plus m n s t => meaning s + meaning t
  | Times m n c s => c%:A *: meaning s
  | Result m n a => value a
  | Fixed m n C => constant R C
  | Free m n => free world m n
  | Turned m n s => (meaning s)^T
  | Product m k n s t => meaning s *m meaning t
  | Diagonal m s => diagonal (meaning s)
  | Power m s e => power (meaning s) e
  | Number m n x s => meaning x 0 0 *: meaning s
  | Entries m n s t => entrywise (meaning s) (meaning t)
  | Rowdiag m s => rowdiag (meaning s)
  end.

End Meaning.
