(* Families of directions: programs that read tensors and a free matrix, evaluated at given weights. *)

open Json

type family = {
  label : string;
  free : (int * int) option;
  entries : (int * int) list;
  moves : (string * Program.instruction array) list;
}

let most_directions = 4000

(* Read a family; [shape] gives the shapes of the tensors that the program reads, [known] of all. If it is to be [cut],
   its directions are not listed. *)
let read ~cut ~shape ~known claim =
  let claim = members [ "name"; "free"; "moves" ] (if cut then [] else [ "entries" ]) claim in
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
    | Some _, None when cut -> [ (0, 0) ]
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
  let velocity (name, lines) =
    let program = Program.parse (list lines) in
    let fits (one : Program.instruction) =
      let sizes = (Program.height one, Program.width one) in
      match one.operation with
      | Tensor name -> sizes = shape name
      | Input -> Some sizes = free
      | Rotate _ | Function _ | Largest _ -> false
      | _ -> true
    in
    let last = program.(Array.length program - 1) in
    if not (Array.for_all fits program) then refuse "what a velocity reads, or does, is not known";
    if (Program.height last, Program.width last) <> known name then refuse "a velocity has another shape";
    (name, program)
  in
  let moves = match field "moves" with Object pairs -> List.map velocity pairs | _ -> refuse "an object is expected" in
  if moves = [] then refuse "nothing moves";
  { label = text (field "name"); free; entries; moves }

module Evaluated (F : Field.Field) = struct
  module E = Evaluate.Make (F)

  (* How each tensor that moves does. *)
  let velocity ~weight ~free family =
    let circle _ _ = assert false and apply _ _ _ = assert false in
    let value program =
      let results =
        E.run program ~tensor:(fun name -> E.still (weight name)) ~input:free ~circle ~apply
      in
      results.(Array.length results - 1).E.v
    in
    List.map (fun (name, program) -> (name, value program)) family.moves
end
