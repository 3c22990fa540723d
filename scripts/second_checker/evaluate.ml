(* Programs evaluated with one derivative: each result is a matrix and how it moves. *)

open Program
open Field

exception Moves of string

module Make (F : Field) = struct
  module M = Matrices (F)

  type dual = { v : M.t; d : M.t }

  let still v = { v; d = M.constant v.M.h v.M.w F.zero }
  let linear f x = { v = f x.v; d = f x.d }
  let negative m = M.map (F.sub F.zero) m

  let bilinear f x y = { v = f x.v y.v; d = M.add (f x.d y.v) (f x.v y.d) }

  (* Whether a result depends on the input. *)
  let varying program =
    let found = Array.make (Array.length program) false in
    Array.iteri
      (fun k one -> found.(k) <- one.operation = Input || List.exists (fun n -> found.(n)) one.operands)
      program;
    found

  (* All results. A function has a value and a derivative at the entries of its operand: [apply] is given the number
     of the instruction, its operation, and the operand. *)
  let run program ~tensor ~input ~circle ~apply =
    let results = Array.make (Array.length program) (still (M.constant 1 1 F.zero)) in
    Array.iteri
      (fun number one ->
        let operand k = results.(List.nth one.operands k) in
        let rotate angles positions m =
          let turns = Array.map (fun a -> Array.map (fun n -> circle a n) positions) angles in
          let w = width one in
          let m = M.spread m.M.h w m in
          M.init (height one) w (fun i j ->
              let turn = turns.(i / 2) in
              let c, s = turn.(if Array.length positions = 1 then 0 else j) in
              let x = M.get m (i / 2 * 2) j and y = M.get m ((i / 2 * 2) + 1) j in
              if i mod 2 = 0 then F.sub (F.mul c x) (F.mul s y) else F.add (F.mul s x) (F.mul c y))
        in
        let join a b =
          M.init (a.M.h + b.M.h) a.M.w (fun i j -> if i < a.M.h then M.get a i j else M.get b (i - a.M.h) j)
        in
        results.(number) <-
          (match one.operation with
          | Tensor name -> tensor name
          | Input -> still input
          | Constant entries -> still { M.h = height one; w = width one; e = Array.map F.of_fraction entries }
          | Add -> { v = M.add (operand 0).v (operand 1).v; d = M.add (operand 0).d (operand 1).d }
          | Multiply -> bilinear (M.entrywise F.mul) (operand 0) (operand 1)
          | Product -> bilinear M.product (operand 0) (operand 1)
          | Column_products ->
              let products a b =
                let m = M.entrywise F.mul a b in
                M.product (M.constant 1 m.M.h F.one) m
              in
              bilinear products (operand 0) (operand 1)
          | Negate -> linear negative (operand 0)
          | Transpose -> linear M.transpose (operand 0)
          | Centre -> linear M.centre (operand 0)
          | Take (rows, columns) ->
              let part m = M.init (height one) (width one) (fun i j -> M.get m rows.(i) columns.(j)) in
              linear part (operand 0)
          | Concatenate axis -> (
              let turned = if axis = 0 then Fun.id else M.transpose in
              let parts = List.map (fun k -> linear turned results.(k)) one.operands in
              let both a b = { v = join a.v b.v; d = join a.d b.d } in
              match parts with
              | first :: rest -> linear turned (List.fold_left both first rest)
              | [] -> assert false)
          | Rotate (angles, positions) -> linear (rotate angles positions) (operand 0)
          | Reciprocal ->
              let v = M.map F.inverse (operand 0).v in
              { v; d = negative (M.entrywise F.mul (M.entrywise F.mul v v) (operand 0).d) }
          | Function _ | Largest _ -> apply number one.operation (operand 0)))
      program;
    results
end

(* An angle is an integer multiple of 2^-e. *)
let multiple e angle =
  let fraction, exponent = Float.frexp angle in
  let mantissa = Z.of_float (Float.ldexp fraction 53) and shift = exponent - 53 + e in
  if shift >= 0 then Z.shift_left mantissa shift else Z.div mantissa (Z.shift_left Z.one (-shift))

let unit_of program =
  let bits angle =
    let fraction, exponent = Float.frexp angle in
    let mantissa = Z.of_float (Float.ldexp fraction 53) in
    if Z.sign mantissa = 0 then 0 else 53 - exponent - Z.trailing_zeros mantissa
  in
  let largest e one =
    match one.operation with Rotate (angles, _) -> Array.fold_left (fun e a -> max e (bits a)) e angles | _ -> e
  in
  Array.fold_left largest 0 program

(* Residues. In the place of the point of the circle with the angle 2^-e stands a random one of the circle; in the place
   of values of functions stand random numbers: what holds for these holds for those. *)
module Modulo (P : sig val p : int end) = struct
  module F = Residues (P)
  include Make (F)

  let circle program key =
    let e = unit_of program in
    let rec point k =
      let t = (F.random (Printf.sprintf "%s/%d" key k) 1).(0) in
      let square = F.mul t t in
      match F.inverse (F.add 1 square) with
      | inverse -> (F.mul (F.sub 1 square) inverse, F.mul (F.add t t) inverse)
      | exception No_value -> point (k + 1)
    in
    let turn (a, b) (c, d) = (F.sub (F.mul a c) (F.mul b d), F.add (F.mul a d) (F.mul b c)) in
    let z = lazy (point 0) and known = Hashtbl.create 16 in
    fun angle position ->
      match Hashtbl.find_opt known (angle, position) with
      | Some found -> found
      | None ->
          let power = Z.mul (multiple e angle) (Z.of_int position) in
          let found = ref (1, 0) in
          for bit = Z.numbits power - 1 downto 0 do
            found := turn !found !found;
            if Z.testbit (Z.abs power) bit then found := turn !found (Lazy.force z)
          done;
          if Z.sign power < 0 then found := (fst !found, F.sub 0 (snd !found));
          Hashtbl.add known (angle, position) !found;
          !found

  (* Functions at random values. [key number] is what an instruction draws its values from. Operands of gates and roots
     are kept in [gates]: what they do is not seen at one input. *)
  let apply ~key ~gates number operation x =
    let v = { x.v with M.e = F.random (key number) (Array.length x.v.M.e) } in
    let slope f = { v; d = M.entrywise F.mul x.d (M.entrywise f v x.v) } in
    match operation with
    | Function "exp" -> slope (fun y _ -> y)
    | Function "sqrt" ->
        gates := (number, operation, x) :: !gates;
        slope (fun y x -> F.mul y (F.inverse (F.add x x)))
    | Function "positive" | Largest _ -> gates := (number, operation, x) :: !gates; still v
    | _ ->
        if Array.exists (( <> ) 0) x.d.M.e then
          raise (Moves (Printf.sprintf "result %d is a function of what moves" number));
        still v
end

(* Real functions at floating-point numbers, without derivatives. *)
module Real = struct
  include Make (Floats)

  let circle angle position = (cos (angle *. float position), sin (angle *. float position))

  let apply _ operation x =
    let one f = still (M.map f x.v) in
    match operation with
    | Function "exp" -> one exp
    | Function "sqrt" -> one (fun x -> if x > 0. then sqrt x else raise No_value)
    | Function "log" -> one (fun x -> if x > 0. then log x else raise No_value)
    | Function "sigmoid" -> one (fun x -> 1. /. (1. +. exp (-.x)))
    | Function "erf" -> one Float.erf
    | Function "positive" -> one (fun x -> if x = 0. then raise No_value else if x > 0. then 1. else 0.)
    | Largest count ->
        let column j = List.sort (fun a b -> compare b a) (List.init x.v.M.h (fun i -> M.get x.v i j)) in
        still
          (M.init x.v.M.h x.v.M.w (fun i j ->
               let sorted = Array.of_list (column j) in
               if count < Array.length sorted && sorted.(count - 1) = sorted.(count) then raise No_value;
               if M.get x.v i j >= sorted.(count - 1) then 1. else 0.))
    | _ -> assert false
end
