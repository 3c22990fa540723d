(* Residues modulo a prime of at most 62 bits, and floating-point numbers. *)

exception No_value

module type Field = sig
  type t

  val zero : t
  val one : t
  val is_zero : t -> bool
  val add : t -> t -> t
  val sub : t -> t -> t
  val mul : t -> t -> t
  val inverse : t -> t
  val of_fraction : Q.t -> t
end

let steps = ref 0

(* Maximum number of products that are no products with zero. *)
let most_steps = 200_000_000

module Residues (P : sig val p : int end) = struct
  type t = int

  let p = P.p
  let zero = 0
  let one = 1
  let is_zero x = x = 0
  let sub a b = if a >= b then a - b else a - b + p
  let add a b = if b = 0 then a else sub a (p - b)
  let big = Z.of_int p

  let mul a b =
    if a = 0 || b = 0 then 0
    else begin
      incr steps;
      if !steps > most_steps then raise (Json.Too_large "something that takes too many products");
      if a = 1 then b else if b = 1 then a else Z.to_int (Z.rem (Z.mul (Z.of_int a) (Z.of_int b)) big)
    end

  let inverse x = if x = 0 then raise No_value else Z.to_int (Z.invert (Z.of_int x) big)

  let of_fraction (q : Q.t) =
    let residue z = Z.to_int (Z.erem z big) in
    if residue q.den = 0 then Json.refuse "a denominator that the prime divides";
    mul (residue q.num) (inverse (residue q.den))

  (* Random residues of a text: the words of its stream below the largest multiple of p, modulo p. *)
  let random key count =
    let whole = Z.shift_left Z.one 64 in
    let limit = Z.sub whole (Z.rem whole big) in
    let rec draw length =
      let found = Array.make count 0 and filled = ref 0 in
      Array.iter
        (fun word ->
          let z = Z.of_int64 word in
          let z = if Z.sign z < 0 then Z.add z whole else z in
          if Z.lt z limit && !filled < count then begin
            found.(!filled) <- Z.to_int (Z.rem z big);
            incr filled
          end)
        (Hashes.shake256 key length);
      if !filled = count then found else draw (2 * length)
    in
    draw (count + 16)
end

module Floats = struct
  type t = float

  let zero = 0.
  let one = 1.
  let is_zero x = x = 0.
  let add = ( +. )
  let sub = ( -. )
  let mul = ( *. )
  let inverse x = if x = 0. then raise No_value else 1. /. x
  let of_fraction = Q.to_float
end

(* The prime of a text: the first one from 2^61 + 2 w + 1 on, where w has the first 60 bits of its stream. *)
let prime_of key =
  let word = (Hashes.shake256 (key ^ "/prime") 1).(0) in
  let w = Z.of_int64 (Int64.shift_right_logical word 4) in
  let rec from p = if Z.probab_prime p 40 > 0 then Z.to_int p else from (Z.add p (Z.of_int 2)) in
  from (Z.add (Z.shift_left Z.one 61) (Z.succ (Z.shift_left w 1)))

module Matrices (F : Field) = struct
  type t = { h : int; w : int; e : F.t array }

  let bounded size = if size > 1 lsl 24 then raise (Json.Too_large "a large matrix") else size
  let init h w f = { h; w; e = Array.init (bounded (h * w)) (fun k -> f (k / w) (k mod w)) }
  let get m i j = m.e.((i * m.w) + j)
  let constant h w x = { h; w; e = Array.make (bounded (h * w)) x }
  let map f m = { m with e = Array.map f m.e }

  (* A matrix of which one row, or one column, is repeated. *)
  let spread h w m =
    if m.h = h && m.w = w then m else init h w (fun i j -> get m (if m.h = 1 then 0 else i) (if m.w = 1 then 0 else j))

  let entrywise f a b =
    let h = max a.h b.h and w = max a.w b.w in
    let a = spread h w a and b = spread h w b in
    { h; w; e = Array.map2 f a.e b.e }

  let add = entrywise F.add
  let transpose m = init m.w m.h (fun i j -> get m j i)

  let product a b =
    let found = constant a.h b.w F.zero in
    for i = 0 to a.h - 1 do
      for k = 0 to a.w - 1 do
        let x = get a i k in
        if not (F.is_zero x) then
          for j = 0 to b.w - 1 do
            let at = (i * b.w) + j in
            found.e.(at) <- F.add found.e.(at) (F.mul x (get b k j))
          done
      done
    done;
    found

  let diagonal m = init m.h m.h (fun i j -> if i = j then m.e.(i) else F.zero)

  let centre m =
    let share = F.of_fraction (Q.of_ints 1 m.h) in
    let means = product (constant 1 m.h share) m in
    init m.h m.w (fun i j -> F.sub (get m i j) (get means 0 j))

  let is_regular m =
    let n = m.h and e = Array.init m.h (fun i -> Array.sub m.e (i * m.w) m.w) in
    let rec eliminate k =
      k = n
      ||
      match List.find_opt (fun i -> not (F.is_zero e.(i).(k))) (List.init (n - k) (fun i -> i + k)) with
      | None -> false
      | Some pivot ->
          let row = e.(pivot) in
          e.(pivot) <- e.(k);
          e.(k) <- row;
          let inverse = F.inverse row.(k) in
          for i = k + 1 to n - 1 do
            let factor = F.mul e.(i).(k) inverse in
            if not (F.is_zero factor) then
              for j = k to n - 1 do
                e.(i).(j) <- F.sub e.(i).(j) (F.mul factor row.(j))
              done
          done;
          eliminate (k + 1)
    in
    eliminate 0
end
