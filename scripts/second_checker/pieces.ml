(* Networks cut into a hub and equal copies. Hub, first copy, second copy and so on are the first coordinates of an axis
   that is cut; so what some copies have of a matrix is its first rows and columns. *)

open Json
open Program

type cut = { copies : int; sizes : (int * (int * int)) list }

let read claims =
  let copies = whole ~least:2 ~most:(1 lsl 31) (List.assoc "copies" claims) in
  let size pair =
    match list pair with
    | [ h; c ] ->
        let h = whole ~most:1_000_000 h and c = whole ~least:1 ~most:1_000_000 c in
        (h + (copies * c), (h, c))
    | _ -> refuse "a hub and a copy are expected"
  in
  let sizes = List.map size (list (List.assoc "cuts" claims)) in
  if not (distinct (List.map fst sizes)) then refuse "an axis is cut twice";
  { copies; sizes }

let is_cut cut size = List.mem_assoc size cut.sizes
let length cut copies size = match List.assoc_opt size cut.sizes with Some (h, c) -> h + (copies * c) | None -> size
let part cut size k = match List.assoc_opt size cut.sizes with Some (h, c) when k >= h -> 1 + ((k - h) / c) | _ -> 0

(* The coordinate of the first copy that stands for one. *)
let first cut size k = match List.assoc_opt size cut.sizes with Some (h, c) when k >= h -> h + ((k - h) mod c) | _ -> k

let owns cut piece (h, w) i j =
  match (piece, part cut h i, part cut w j) with
  | 0, a, b -> max a b <= 1
  | 1, a, b -> max a b = 1
  | _, a, b -> min a b = 1 && max a b = 2

(* The coordinates of an axis after copies were moved: each by one, or the first two exchanged. *)
let moved cut turn size =
  match List.assoc_opt size cut.sizes with
  | None -> Fun.id
  | Some (h, c) ->
      let other g = if turn then (g + 1) mod cut.copies else match g with 0 -> 1 | 1 -> 0 | g -> g in
      fun k -> if k < h then k else h + (other ((k - h) / c) * c) + ((k - h) mod c)

(* The program of the hub and some copies. *)
let program cut copies program =
  let some size = Array.init (length cut copies size) Fun.id in
  let one (one : instruction) =
    let shape = List.map (length cut copies) one.shape in
    let along axis k = is_cut cut (if axis = 0 then height program.(k) else width program.(k)) in
    let refuse_if condition = if condition then refuse "an operation along an axis that is cut" in
    let operation =
      match (one.operation, one.operands) with
      | Constant entries, _ ->
          let rows = some (height one) and columns = some (width one) in
          let row i = Array.map (fun j -> entries.((i * width one) + j)) columns in
          Constant (Array.concat (List.map row (Array.to_list rows)))
      | Take (rows, columns), [ k ] ->
          let chosen axis size taken =
            if not (along axis k) then taken
            else if taken = Array.init size Fun.id then some size
            else refuse "parts are taken along an axis that is cut"
          in
          Take (chosen 0 (height program.(k)) rows, chosen 1 (width program.(k)) columns)
      | Concatenate axis, operands ->
          refuse_if (is_cut cut (if axis = 0 then height one else width one) || List.exists (along axis) operands);
          one.operation
      | (Centre | Largest _), [ k ] -> refuse_if (along 0 k); one.operation
      | Rotate _, [ k ] ->
          refuse_if (along 0 k || along 1 k || is_cut cut (height one) || is_cut cut (width one));
          one.operation
      | operation, _ -> operation
    in
    { one with operation; shape }
  in
  Array.map one program
