(* Families of directions: sums of words, read, and evaluated at given weights and a given free matrix. *)

open Json

type factor =
  | Weight of string * bool
  | Free of bool
  | Fixed of int * int * (int * int * Q.t) list
  | Ones of int * int
  | Diagonal of factor list * int

type family = {
  label : string;
  free : (int * int) option;
  entries : (int * int) list;
  moves : (string * (Q.t * factor list) list) list;
}

let most_directions = 4000

(* Read a family; [shape] gives the shapes of the tensors that the program reads, [known] of all. *)
let read ~shape ~known claim =
  let claim = members [ "name"; "free"; "moves" ] [ "entries" ] claim in
  let field name = List.assoc name claim in
  let free =
    match list (field "free") with
    | [] -> None
    | [ h; w ] -> Some (whole ~least:1 ~most:1_000_000 h, whole ~least:1 ~most:1_000_000 w)
    | _ -> refuse "the shape of a free matrix is expected"
  in
  let entries =
    match (free, List.assoc_opt "entries" claim) with
    | None, None -> [ (0, 0) ]
    | None, Some _ -> refuse "entries without a free matrix"
    | Some (h, w), None ->
        if h * w > most_directions then raise (Too_large "a family of more than 4,000 directions");
        List.concat (List.init h (fun i -> List.init w (fun j -> (i, j))))
    | Some (h, w), Some listed ->
        List.map
          (fun pair ->
            match list pair with
            | [ i; j ] -> (whole ~most:(h - 1) i, whole ~most:(w - 1) j)
            | _ -> refuse "an entry of the free matrix is expected")
          (list listed)
  in
  if entries = [] || List.length entries > most_directions || not (Program.distinct entries) then
    refuse "different entries of the free matrix are expected";
  let size value = whole ~least:1 ~most:4096 value in
  let bounded h w = if h * w > 100_000 then raise (Too_large "a large constant") in
  (* Factors with the shape of their product, and how often S is in them. *)
  let rec product depth listed =
    let listed = list listed in
    if listed = [] || List.length listed > 200 then refuse "factors are expected";
    let read = List.map (factor depth) listed in
    let rec chain = function
      | (_, (_, w), _) :: ((_, (h, _), _) :: _ as rest) ->
          if w <> h then refuse "factors that fit are expected";
          chain rest
      | _ -> ()
    in
    chain read;
    let last = List.nth read (List.length read - 1) in
    let (_, (h, _), _), (_, (_, w), _) = (List.hd read, last) in
    (List.map (fun (f, _, _) -> f) read, (h, w), List.fold_left (fun n (_, _, k) -> n + k) 0 read)
  and factor depth one =
    match list one with
    | [ Text "tensor"; Text name ] -> let h, w = shape name in (Weight (name, false), (h, w), 0)
    | [ Text "turned"; Text name ] -> let h, w = shape name in (Weight (name, true), (w, h), 0)
    | [ Text "free" ] when free <> None -> (Free false, Option.get free, 1)
    | [ Text "free turned" ] when free <> None -> let h, w = Option.get free in (Free true, (w, h), 1)
    | [ Text "ones"; h; w ] -> let h = size h and w = size w in bounded h w; (Ones (h, w), (h, w), 0)
    | [ Text "constant"; h; w; List listed ] ->
        let h = size h and w = size w in
        bounded h w;
        let rec triples = function
          | i :: j :: c :: rest ->
              let i = whole ~most:(h - 1) i in
              let j = whole ~most:(w - 1) j in
              (i, j, number c) :: triples rest
          | [] -> []
          | _ -> refuse "entries of a constant are expected"
        in
        let entries = triples listed in
        if not (Program.distinct (List.map (fun (i, j, _) -> (i, j)) entries)) then refuse "an entry stands twice";
        (Fixed (h, w, entries), (h, w), 0)
    | [ Text "diagonal"; listed; exponent ] when depth < 3 ->
        let factors, (h, w), count = product (depth + 1) listed in
        let e = whole ~least:(-9) ~most:9 exponent in
        if w <> 1 || e = 0 || (count > 0 && (e <> 1 || depth > 0)) then refuse "a power of a column is expected";
        (Diagonal (factors, e), (h, h), count)
    | _ -> refuse "a factor is expected"
  in
  let word shape one =
    match list one with
    | [ c; listed ] ->
        let c = number c in
        let factors, found, count = product 0 listed in
        if Q.sign c = 0 || found <> shape || count <> (if free = None then 0 else 1) then
          refuse "a word that fits is expected";
        (c, factors)
    | _ -> refuse "a word is expected"
  in
  let moves =
    match field "moves" with
    | Object pairs ->
        List.map
          (fun (name, words) ->
            if list words = [] then refuse "a list of words is expected";
            (name, List.map (word (known name)) (list words)))
          pairs
    | _ -> refuse "an object is expected"
  in
  if moves = [] then refuse "nothing moves";
  { label = text (field "name"); free; entries; moves }

module Evaluated (F : Field.Field) = struct
  module M = Field.Matrices (F)

  let rec power x e = if e < 0 then power (F.inverse x) (-e) else if e = 0 then F.one else F.mul x (power x (e - 1))

  let rec product ~weight ~free factors =
    let column c e = M.map (fun x -> power x e) (product ~weight ~free c) in
    let rows c m = M.init m.M.h m.M.w (fun i j -> F.mul c.M.e.(i) (M.get m i j)) in
    match factors with
    | [] -> assert false
    | [ Weight (name, turned) ] -> if turned then M.transpose (weight name) else weight name
    | [ Free turned ] -> if turned then M.transpose free else free
    | [ Ones (h, w) ] -> M.constant h w F.one
    | [ Fixed (h, w, entries) ] ->
        let found = M.constant h w F.zero in
        List.iter (fun (i, j, c) -> found.M.e.((i * w) + j) <- F.of_fraction c) entries;
        found
    | [ Diagonal (c, e) ] -> M.diagonal (column c e)
    | Diagonal (c, e) :: rest -> rows (column c e) (product ~weight ~free rest)
    | [ one; Diagonal (c, e) ] -> M.transpose (rows (column c e) (M.transpose (product ~weight ~free [ one ])))
    | one :: rest -> M.product (product ~weight ~free [ one ]) (product ~weight ~free rest)

  (* How each tensor that moves does. *)
  let velocity ~weight ~free family =
    List.map
      (fun (name, words) ->
        let value (c, factors) = M.map (F.mul (F.of_fraction c)) (product ~weight ~free factors) in
        match List.map value words with
        | first :: rest -> (name, List.fold_left M.add first rest)
        | [] -> assert false)
      family.moves
end
