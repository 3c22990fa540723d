(* SHA-256 (FIPS 180-4) and SHAKE-256 (FIPS 202). *)

let primes count =
  let rec from n found =
    if List.length found = count then List.rev found
    else if List.for_all (fun q -> n mod q <> 0) found then from (n + 1) (n :: found)
    else from (n + 1) found
  in
  from 2 []

(* The first 32 bits of the fractional part of the square or cube root of an integer. *)
let root_bits degree n =
  let root = Z.root (Z.shift_left (Z.of_int n) (32 * degree)) degree in
  Z.to_int (Z.logand root (Z.of_int 0xffffffff))

let sha256 text =
  let k = Array.of_list (List.map (root_bits 3) (primes 64)) in
  let state = Array.of_list (List.map (root_bits 2) (primes 8)) in
  let length = String.length text in
  let blocks = (length + 72) / 64 in
  let padded = Bytes.make (64 * blocks) '\000' in
  Bytes.blit_string text 0 padded 0 length;
  Bytes.set padded length '\x80';
  Bytes.set_int64_be padded ((64 * blocks) - 8) (Int64.of_int (8 * length));
  let rotate x n = ((x lsr n) lor (x lsl (32 - n))) land 0xffffffff in
  let w = Array.make 64 0 in
  for block = 0 to blocks - 1 do
    for t = 0 to 15 do
      w.(t) <- Int32.to_int (Bytes.get_int32_be padded ((64 * block) + (4 * t))) land 0xffffffff
    done;
    for t = 16 to 63 do
      let x = w.(t - 15) and y = w.(t - 2) in
      let s0 = rotate x 7 lxor rotate x 18 lxor (x lsr 3) in
      let s1 = rotate y 17 lxor rotate y 19 lxor (y lsr 10) in
      w.(t) <- (w.(t - 16) + s0 + w.(t - 7) + s1) land 0xffffffff
    done;
    let v = Array.copy state in
    for t = 0 to 63 do
      let a = v.(0) and e = v.(4) in
      let choice = (e land v.(5)) lxor (lnot e land v.(6)) in
      let majority = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
      let one = v.(7) + (rotate e 6 lxor rotate e 11 lxor rotate e 25) + choice + k.(t) + w.(t) in
      let two = (rotate a 2 lxor rotate a 13 lxor rotate a 22) + majority in
      Array.blit v 0 v 1 7;
      v.(4) <- (v.(4) + one) land 0xffffffff;
      v.(0) <- (one + two) land 0xffffffff
    done;
    Array.iteri (fun i x -> state.(i) <- (x + v.(i)) land 0xffffffff) state
  done;
  String.concat "" (List.map (Printf.sprintf "%08x") (Array.to_list state))

(* The permutation Keccak-f[1600] of 25 words; word (x, y) has the index x + 5 y. *)
let keccak =
  let constants =
    (* Bit 2^j - 1 of the constant of round i is the bit 7 i + j of a linear feedback shift register. *)
    let register = ref 1 in
    Array.init 24 (fun _ ->
        let constant = ref 0L in
        for j = 0 to 6 do
          if !register land 1 = 1 then constant := Int64.logxor !constant (Int64.shift_left 1L ((1 lsl j) - 1));
          register := !register lsl 1;
          if !register land 256 <> 0 then register := !register lxor 0x171
        done;
        !constant)
  in
  let rotate x n =
    if n = 0 then x else Int64.logor (Int64.shift_left x n) (Int64.shift_right_logical x (64 - n))
  in
  fun a ->
    let xor = Int64.logxor in
    for round = 0 to 23 do
      let column = Array.init 5 (fun x -> List.fold_left (fun s y -> xor s a.(x + (5 * y))) 0L [ 0; 1; 2; 3; 4 ]) in
      Array.iteri (fun i v -> a.(i) <- xor v (xor column.((i + 4) mod 5) (rotate column.((i + 1) mod 5) 1))) a;
      let b = Array.copy a in
      let x = ref 1 and y = ref 0 in
      for t = 0 to 23 do
        let next = ((2 * !x) + (3 * !y)) mod 5 in
        b.(!y + (5 * next)) <- rotate a.(!x + (5 * !y)) ((t + 1) * (t + 2) / 2 mod 64);
        x := !y;
        y := next
      done;
      for i = 0 to 24 do
        let row = i / 5 * 5 in
        let one = b.(row + ((i + 1) mod 5)) and two = b.(row + ((i + 2) mod 5)) in
        a.(i) <- xor b.(i) (Int64.logand (Int64.lognot one) two)
      done;
      a.(0) <- xor a.(0) constants.(round)
    done

(* Words of 64 bits of SHAKE-256 of a text, the least significant byte first. *)
let shake256 text count =
  let rate = 136 in
  let length = String.length text in
  let blocks = (length / rate) + 1 in
  let padded = Bytes.make (rate * blocks) '\000' in
  Bytes.blit_string text 0 padded 0 length;
  Bytes.set padded length '\x1f';
  let last = (rate * blocks) - 1 in
  Bytes.set padded last (Char.chr (Char.code (Bytes.get padded last) lor 0x80));
  let a = Array.make 25 0L in
  for block = 0 to blocks - 1 do
    for i = 0 to (rate / 8) - 1 do
      a.(i) <- Int64.logxor a.(i) (Bytes.get_int64_le padded ((rate * block) + (8 * i)))
    done;
    keccak a
  done;
  Array.init count (fun k ->
      let i = k mod (rate / 8) in
      if k > 0 && i = 0 then keccak a;
      a.(i))
