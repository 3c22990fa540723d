(* A second checker of certificates: reads a file, and says whether what it claims is so.

   Exit codes: 0 verified; 1 refuted; 2 no certificate; 3 too large; 4 what was checked holds, but the rest is not
   covered: minors at real points, and values of functions that are told apart by balls. With --chance it prints the
   hash of the file, the prime, and the first residues of the weights. *)

open Json
open Program
open Field

exception Refuted of string

exception Elsewhere  (* what is claimed rests on a theorem *)

let refuted message = raise (Refuted message)

type network = {
  program : instruction array;
  tensors : (string * (int * int)) list;
  units : (int * int) option;  (* where unit vectors begin, if tokens are read *)
  input : (int * int) option;
  output : int * int;
}

(* Entries by tensors: the height, the width, and the entries of each. *)
let by_tensors network entries =
  let start = ref 0 in
  List.map
    (fun (name, (h, w)) ->
      let part = Array.sub entries !start (h * w) in
      start := !start + (h * w);
      (name, h, w, part))
    network.tensors

let parameters network = List.fold_left (fun n (_, (h, w)) -> n + (h * w)) 0 network.tensors

let is_real network =
  Array.exists (fun one -> match one.operation with Function _ | Largest _ | Rotate _ -> true | _ -> false) network.program

let network_of claims =
  let program = Program.parse (list (List.assoc "program" claims)) in
  let tensors =
    List.map
      (fun one ->
        match list one with
        | [ Text name; h; w ] -> (name, (whole ~least:1 ~most:1_000_000 h, whole ~least:1 ~most:1_000_000 w))
        | _ -> refuse "a name, rows and columns of a tensor are expected")
      (list (List.assoc "tensors" claims))
  in
  if not (distinct (List.map fst tensors)) then refuse "a tensor stands twice";
  Array.iter
    (fun one ->
      match one.operation with
      | Tensor name when List.assoc_opt name tensors <> Some (height one, width one) -> refuse "an unknown tensor"
      | _ -> ())
    program;
  let input =
    Array.fold_left (fun n one -> if one.operation = Input then Some (height one, width one) else n) None program
  in
  let units =
    match words (text (List.assoc "reads" claims)) with
    | [ "vectors" ] -> None
    | [ "tokens" ] -> Some (0, 0)
    | [ h; "x"; w; "numbers"; "and"; "tokens" ] ->
        let h = natural h and w = natural w in
        if min h w = 0 || max h w > 999_999 then refuse "what is read is expected";
        Some (h, w)
    | _ -> refuse "what is read is expected"
  in
  (match (units, input) with
  | Some (r, c), Some (h, w) when h <= r || w <= c -> refuse "more numbers than the input has"
  | Some (r, c), None when r > 0 || c > 0 -> refuse "more numbers than the input has"
  | _ -> ());
  let last = program.(Array.length program - 1) in
  let network = { program; tensors; units; input; output = (height last, width last) } in
  if parameters network > 1_000_000 then raise (Too_large "more than 10^6 parameters");
  network

(* The numbers and the tokens of an input. *)
let input_of network claim =
  let h, w = Option.value network.input ~default:(0, 0) in
  let r, c = Option.value network.units ~default:(h, w) in
  let tokens = if network.units = None then 0 else w - c in
  let listed = Array.of_list (list claim) in
  if Array.length listed <> (r * c) + tokens then refuse "an input of another length";
  ( Array.map number (Array.sub listed 0 (r * c)),
    Array.map (whole ~most:(max 0 (h - r - 1))) (Array.sub listed (r * c) tokens) )

let whole_list ?most claim = List.map (whole ?most) (list claim)

module Over (F : Field) = struct
  module M = Matrices (F)

  (* The matrix of numbers and tokens. *)
  let matrix network (numbers, tokens) =
    let h, w = Option.value network.input ~default:(1, 1) in
    let r, c = Option.value network.units ~default:(h, w) in
    M.init h w (fun i j ->
        if i < r && j < c then numbers.((i * c) + j)
        else if i >= r && j >= c && tokens.(j - c) = i - r then F.one
        else F.zero)
end

module Check (P : sig val p : int end) = struct
  module E = Evaluate.Modulo (P)
  module F = E.F
  module M = E.M
  module W = Families.Evaluated (F)
  module O = Over (F)

  let random key h w = { M.h; w; e = F.random key (h * w) }

  let weights network key =
    List.map
      (fun (name, h, w, e) -> (name, { M.h; w; e }))
      (by_tensors network (F.random (key ^ "/weights") (parameters network)))

  let run network key ~here ~gates ~weights ~moves ~input =
    let varying = E.varying network.program in
    let tensor name =
      let v = List.assoc name weights in
      match List.assoc_opt name moves with Some d -> { E.v; d } | None -> E.still v
    in
    let values number = Printf.sprintf "%s/function/%d" (if varying.(number) then here else key) number in
    E.run network.program ~tensor ~input ~circle:(E.circle network.program (key ^ "/circle"))
      ~apply:(E.apply ~key:values ~gates)

  (* Where vectors are read, any matrix; where tokens are, columns that add up to one in the place of unit vectors. *)
  let any_input network key =
    let h, w = Option.value network.input ~default:(1, 1) in
    let found = random key h w in
    match network.units with
    | None -> found
    | Some (r, c) ->
        M.init h w (fun i j ->
            if (i < r) <> (j < c) then 0
            else if i < r || i < h - 1 then M.get found i j
            else F.sub 1 (List.fold_left F.add 0 (List.init (h - 1 - r) (fun k -> M.get found (k + r) j))))

  (* By what number an entry is multiplied when it moves: Some x, None if it is zero and stays. *)
  let ratio x d =
    if x <> 0 then Some (F.mul d (F.inverse x)) else if d = 0 then None else raise (Evaluate.Moves "a gate moves")

  let ratios ~gates_stay (_, operation, { E.v; d }) =
    let pair i k j = ratio (F.sub (M.get v i j) (M.get v k j)) (F.sub (M.get d i j) (M.get d k j)) in
    match operation with
    | _ when gates_stay -> []
    | Largest _ ->
        List.concat_map
          (fun j -> List.concat (List.init v.M.h (fun i -> List.init i (fun k -> pair i k j))))
          (List.init v.M.w Fun.id)
    | _ -> List.init (Array.length v.M.e) (fun k -> ratio v.M.e.(k) d.M.e.(k))

  (* The value does not move along a family: its derivative is zero at random weights and inputs. What multiplies the
     operand of a gate depends on the weights alone, so at almost all weights it has no pole where the gate changes. The
     same is asked of roots: the derivative of x / sqrt(x x) is zero, but it is the sign of x, a gate. *)
  let invariant network key ~gates_stay (family : Families.family) =
    for point = 0 to 1 do
      let key = Printf.sprintf "%s/words/%d" key point in
      let weights = weights network key in
      let h, w = Option.value family.free ~default:(1, 1) in
      let moves = W.velocity ~weight:(fun name -> List.assoc name weights) ~free:(random (key ^ "/free") h w) family in
      let seen =
        List.map
          (fun input ->
            let here = Printf.sprintf "%s/input/%d" key input and gates = ref [] in
            let results = run network key ~here ~gates ~weights ~moves ~input:(any_input network here) in
            let value = results.(Array.length results - 1) in
            if Array.exists (( <> ) 0) value.E.d.M.e then raise (Evaluate.Moves "the value moves");
            List.map (ratios ~gates_stay) !gates)
          [ 0; 1 ]
      in
      let same one two = one = None || two = None || one = two in
      match seen with
      | [ one; two ] when not (List.for_all2 (List.for_all2 same) one two) -> raise (Evaluate.Moves "a gate may change")
      | _ -> ()
    done

  (* Directions are independent: their minor in these columns is not zero. *)
  let independent network ~weights families columns =
    let count = List.fold_left (fun n (f : Families.family) -> n + List.length f.entries) 0 families in
    if List.length columns <> count || not (distinct columns) then refuse "as many columns as directions are expected";
    if count > Families.most_directions then raise (Too_large "more than 4,000 directions");
    let starts = Hashtbl.create 16 and places = Hashtbl.create 16 in
    ignore (List.fold_left (fun n (name, (h, w)) -> Hashtbl.add starts name n; n + (h * w)) 0 network.tensors);
    List.iteri (fun k column -> Hashtbl.add places column k) columns;
    let minor = M.constant count count 0 and row = ref 0 in
    List.iter
      (fun (family : Families.family) ->
        let h, w = Option.value family.free ~default:(1, 1) in
        List.iter
          (fun (i, j) ->
            let free = M.init h w (fun k l -> if (k, l) = (i, j) then 1 else 0) in
            List.iter
              (fun (name, d) ->
                let start = Hashtbl.find starts name in
                Array.iteri
                  (fun k x ->
                    match Hashtbl.find_opt places (start + k) with
                    | Some column -> minor.M.e.((!row * count) + column) <- x
                    | None -> ())
                  d.M.e)
              (W.velocity ~weight:(fun name -> List.assoc name weights) ~free family);
            incr row)
          family.entries)
      families;
    if not (M.is_regular minor) then refuted "the directions are not independent in these columns"

  (* The minor of the Jacobian in these rows and columns is not zero at the weights and inputs that the file names. *)
  let minor network key ~weights ~inputs rows columns =
    let order = List.length rows in
    let h, w = network.output in
    let needed = List.sort_uniq compare (List.map (fun row -> row / (h * w)) rows) in
    let input number =
      match network.units with
      | None ->
          let h, w = Option.value network.input ~default:(1, 1) in
          random (Printf.sprintf "%s/input/%d" key number) h w
      | Some _ ->
          let numbers, tokens = List.nth inputs number in
          O.matrix network (Array.map F.of_fraction numbers, tokens)
    in
    let inputs = List.map (fun number -> (number, input number)) needed in
    let columns = Array.of_list columns and minor = M.constant order order 0 in
    Array.iteri
      (fun place column ->
        let rec find start = function
          | (name, (h, w)) :: rest ->
              if column < start + (h * w) then
                (name, M.init h w (fun i j -> if start + (i * w) + j = column then 1 else 0))
              else find (start + (h * w)) rest
          | [] -> refuse "no such parameter"
        in
        let moves = [ find 0 network.tensors ] in
        let derivatives =
          List.map
            (fun (number, input) ->
              let results = run network key ~here:key ~gates:(ref []) ~weights ~moves ~input in
              (number, results.(Array.length results - 1).E.d))
            inputs
        in
        List.iteri
          (fun k row ->
            minor.M.e.((k * order) + place) <- (List.assoc (row / (h * w)) derivatives).M.e.(row mod (h * w)))
          rows)
      columns;
    if not (M.is_regular minor) then refuted "the minor of the Jacobian is zero"

  (* The program has a value at one of eight points: at residues, or at floating-point numbers if it has functions. *)
  let has_value network key =
    let h, w = Option.value network.input ~default:(1, 1) in
    let attempt point =
      let key = Printf.sprintf "%s/%d" key point in
      let chosen one =
        Option.map
          (fun (r, c) ->
            let tokens = Array.init (w - c) (fun j -> (point + (7 * j)) mod (h - r)) in
            (Array.init (r * c) (fun k -> one (k + 1)), tokens))
          (if network.input = None then None else network.units)
      in
      try
        if is_real network then begin
          let module R = Evaluate.Real in
          let module OR = Over (Floats) in
          let draw key count =
            let entry word =
              let first = Int64.to_int (Int64.shift_right_logical word 40) in
              Float.ldexp (float ((2 * first) + 1 - (1 lsl 24))) (-23)
            in
            Array.map entry (Hashes.shake256 key count)
          in
          let rec bits n = if n = 0 then 0 else 1 + bits (n / 2) in
          let drawn =
            List.map
              (fun (name, h, w, e) -> (name, { R.M.h; w; e = Array.map (fun x -> Float.ldexp x (-(bits w / 2))) e }))
              (by_tensors network (draw (key ^ "/weights") (parameters network)))
          in
          let input = match chosen float with Some x -> OR.matrix network x | None -> { R.M.h; w; e = draw (key ^ "/input") (h * w) } in
          let tensor name = R.still (List.assoc name drawn) in
          let results = R.run network.program ~tensor ~input ~circle:R.circle ~apply:R.apply in
          Array.for_all Float.is_finite results.(Array.length results - 1).R.v.R.M.e
        end
        else begin
          let number n = F.of_fraction (Q.of_int n) in
          let input = match chosen number with Some x -> O.matrix network x | None -> random (key ^ "/input") h w in
          ignore (run network key ~here:key ~gates:(ref []) ~weights:(weights network key) ~moves:[] ~input);
          true
        end
      with No_value -> false
    in
    if not (List.exists attempt (List.init 8 Fun.id)) then refuted "there is no value at 8 points"

  (* The entries of a matrix of a shape, its rows and columns moved. *)
  let turned cut turn m =
    let rows = Pieces.moved cut turn m.M.h and columns = Pieces.moved cut turn m.M.w in
    let found = M.constant m.M.h m.M.w 0 in
    for i = 0 to m.M.h - 1 do
      for j = 0 to m.M.w - 1 do
        found.M.e.((rows i * m.M.w) + columns j) <- M.get m i j
      done
    done;
    found

  let corner h w m = M.init h w (M.get m)

  (* A matrix with another in its first rows and columns, and zeros elsewhere. *)
  let within h w m = M.init h w (fun i j -> if i < m.M.h && j < m.M.w then M.get m i j else 0)

  (* The results of a program, functions being random ones: their values and slopes are named by the operand's. *)
  let results program ~circle key ~tensor ~input =
    let entry number kind x = (F.random (Printf.sprintf "%s/%d/%s/%d" key number kind x) 1).(0) in
    let apply number operation (x : E.dual) =
      match operation with
      | Largest _ -> raise (Too_large "largest entries in pieces")
      | _ ->
          let slopes = M.map (entry number "slope") x.v in
          { E.v = M.map (entry number "value") x.v; d = M.entrywise F.mul slopes x.d }
    in
    let all = E.run program ~tensor ~input ~circle ~apply in
    all.(Array.length all - 1)

  let reduced network cut copies =
    let shape (h, w) = (Pieces.length cut copies h, Pieces.length cut copies w) in
    {
      network with
      program = Pieces.program cut copies network.program;
      tensors = List.map (fun (name, sizes) -> (name, shape sizes)) network.tensors;
      input = Option.map shape network.input;
      output = shape network.output;
    }

  let reduced_family cut copies (family : Families.family) =
    let shape (h, w) = (Pieces.length cut copies h, Pieces.length cut copies w) in
    let moves = List.map (fun (name, program) -> (name, Pieces.program cut copies program)) family.moves in
    { family with free = Option.map shape family.free; moves }

  (* Weights of the hub and all copies, which are zero between parts, made of those of the hub and one. *)
  let block_weights network key cut =
    let small = weights (reduced network cut 1) key in
    List.map
      (fun (name, (h, w)) ->
        let drawn = List.assoc name small in
        let entry i j =
          if h = 1 || w = 1 || Pieces.part cut h i = Pieces.part cut w j then
            M.get drawn (Pieces.first cut h i) (Pieces.first cut w j)
          else 0
        in
        (name, M.init h w entry))
      network.tensors

  let equal a b = a.M.h = b.M.h && a.M.w = b.M.w && a.M.e = b.M.e

  (* At weights and inputs of any kind, values and velocities are moved as copies are: by two moves that make all. *)
  let alike network key cut families =
    let circle = E.circle network.program (key ^ "/circle") in
    let h, w = Option.value network.input ~default:(1, 1) in
    let drawn = weights network (key ^ "/alike") and x = random (key ^ "/alike/input") h w in
    List.iter
      (fun turn ->
        let there = turned cut turn in
        let value change =
          let tensor name = E.still (change (List.assoc name drawn)) in
          (results network.program ~circle key ~tensor ~input:(change x)).E.v
        in
        if not (equal (value there) (there (value Fun.id))) then refuted "the copies are not alike";
        List.iter
          (fun (family : Families.family) ->
            let h, w = Option.value family.free ~default:(1, 1) in
            let free = random (key ^ "/alike/free") h w in
            let velocity change =
              W.velocity ~weight:(fun name -> change (List.assoc name drawn)) ~free:(change free) family
            in
            let same (_, one) (_, other) = equal one (there other) in
            if not (List.for_all2 same (velocity there) (velocity Fun.id)) then
              refuted (Printf.sprintf "family %S: the copies are not alike" family.label))
          families)
      [ true; false ]

  (* In a piece values and derivatives are those of the whole network, at an input of these parts, along any change of
     the weights; and so are velocities, which stay in the piece if it is not the first. Then its minors are regular. *)
  let piece network key cut families piece ~covered rows columns directions =
    let copies = if piece = 2 then 2 else 1 in
    let part = reduced network cut copies and whole = block_weights network key cut in
    let here = Printf.sprintf "%s/%d" key piece in
    let circle = E.circle network.program (key ^ "/circle") in
    let own = List.map (fun (name, (h, w)) -> (name, fun i j -> Pieces.owns cut piece (h, w) i j)) network.tensors in
    let prefix = List.map (fun (name, (h, w)) -> (name, corner h w (List.assoc name whole))) part.tensors in
    let h, w = Option.value network.input ~default:(1, 1) and m, n = Option.value part.input ~default:(1, 1) in
    let x = random (here ^ "/any") m n in
    let change = List.mapi (fun k (name, (h, w)) -> (name, random (Printf.sprintf "%s/change/%d" here k) h w)) network.tensors in
    let of_whole name = { E.v = List.assoc name whole; d = List.assoc name change } in
    let of_part name =
      let h, w = List.assoc name part.tensors in
      { E.v = List.assoc name prefix; d = corner h w (List.assoc name change) }
    in
    let all = results network.program ~circle key ~tensor:of_whole ~input:(within h w x) in
    let some = results part.program ~circle key ~tensor:of_part ~input:x in
    let m, n = part.output in
    if not (equal (corner m n all.E.v) some.E.v && equal (corner m n all.E.d) some.E.d) then
      refuted "a piece is not that of the network";
    let velocities (family : Families.family) =
      let small = reduced_family cut copies family in
      let h, w = Option.value family.free ~default:(1, 1) and m, n = Option.value small.free ~default:(1, 1) in
      let is_own i j = if family.free = None then piece = 0 else Pieces.owns cut piece (h, w) i j in
      let entries = List.concat (List.init m (fun i -> List.init n (fun j -> (i, j)))) in
      let entries = List.filter (fun (i, j) -> is_own i j) entries in
      let s = random (here ^ "/S") m n in
      let s = M.init m n (fun i j -> if is_own i j then M.get s i j else 0) in
      let all = W.velocity ~weight:(fun name -> List.assoc name whole) ~free:(within h w s) family in
      let some = W.velocity ~weight:(fun name -> List.assoc name prefix) ~free:s small in
      if entries <> [] then
        List.iter2
          (fun (name, a) (_, b) ->
            let h, w = List.assoc name network.tensors in
            let alone = M.init h w (fun i j -> if List.assoc name own i j then M.get a i j else 0) in
            let inside = if piece = 0 then equal (corner b.M.h b.M.w a) b else equal a (within h w b) && equal a alone in
            if not inside then refuted (Printf.sprintf "family %S does not stay in a piece" family.label))
          all some;
      { small with entries }
    in
    let families = List.map velocities families in
    let starts = ref 0 and places = ref [] in
    List.iter
      (fun (name, (h, w)) ->
        for i = 0 to h - 1 do
          for j = 0 to w - 1 do
            if List.assoc name own i j then places := (!starts + (i * w) + j) :: !places
          done
        done;
        starts := !starts + (h * w))
      part.tensors;
    if not (List.for_all (fun column -> List.mem column !places) (columns @ directions)) then
      refuse "columns of the piece are expected";
    independent part ~weights:prefix families directions;
    if covered then minor part here ~weights:prefix ~inputs:[] rows columns

  (* Two weights have different values at an input. *)
  let different network key claims =
    let field name = List.assoc name claims in
    let weights name =
      let listed = Array.of_list (List.map number (list (field name))) in
      if Array.length listed <> parameters network then refuse "weights of another length";
      listed
    in
    let one = weights "first" and two = weights "second" in
    let numbers, tokens = input_of network (field "input") in
    let at =
      match whole_list ~most:(1 lsl 31) (field "entry") with
      | [ i; j ] when i < fst network.output && j < snd network.output -> (i * snd network.output) + j
      | _ -> refuse "an entry of the value is expected"
    in
    fun () ->
      let input = O.matrix network (Array.map F.of_fraction numbers, tokens) in
      let value listed =
        let weights =
          List.map
            (fun (name, h, w, part) -> (name, { M.h; w; e = Array.map F.of_fraction part }))
            (by_tensors network listed)
        in
        let results = run network key ~here:key ~gates:(ref []) ~weights ~moves:[] ~input in
        results.(Array.length results - 1).E.v.M.e.(at)
      in
      if value one = value two then refuted "the values are the same"
end

let families_of ?(cut = false) network claims =
  let listed = list (List.assoc "families" claims) in
  let read = Array.to_list network.program in
  let known name =
    match List.assoc_opt name network.tensors with Some shape -> shape | None -> refuse "an unknown tensor moves"
  in
  let shape name =
    if List.exists (fun one -> one.operation = Tensor name) read then known name else refuse "a tensor is not read"
  in
  List.map (Families.read ~cut ~shape ~known) listed

let check_point network =
  Option.iter (fun point ->
      let point = members [ "seed"; "scales" ] [] point in
      ignore (whole (List.assoc "seed" point));
      let scales = List.map (whole ~least:(-1000) ~most:1000) (list (List.assoc "scales" point)) in
      if List.length scales <> List.length network.tensors then refuse "a scale for each tensor is expected")

(* What is claimed, and whether all of it was checked. *)
let verify content =
  let document = members [ "format"; "version"; "made_with"; "network"; "claims" ] [] (Json.parse content) in
  if List.assoc "format" document <> Text "algatt certificate" || List.assoc "version" document <> Int (Z.of_int 4) then
    refuse "another format or version";
  List.iter (fun name -> ignore (text (List.assoc name document))) [ "made_with"; "network" ];
  let claims = match List.assoc "claims" document with Object pairs -> pairs | _ -> refuse "claims are expected" in
  let kind = match List.assoc_opt "kind" claims with Some kind -> text kind | None -> refuse "a kind is expected" in
  let required, optional =
    match kind with
    | "dimension" -> ([ "rows"; "columns"; "families"; "directions" ], [ "inputs"; "point" ])
    | "pieces" -> ([ "copies"; "cuts"; "rows"; "columns"; "families"; "directions" ], [ "point" ])
    | "symmetry" -> ([ "families"; "directions" ], [])
    | "inequality" -> ([ "first"; "second"; "input"; "entry" ], [ "prime" ])
    | "transformer" -> raise Elsewhere
    | _ -> refuse "another kind"
  in
  let claims = members ([ "kind"; "program"; "tensors"; "reads" ] @ required) optional (Object claims) in
  let network = network_of claims in
  let key = Hashes.sha256 content in
  let directions () = whole_list ~most:(parameters network - 1) (List.assoc "directions" claims) in
  let module C = Check (struct let p = prime_of key end) in
  let still ~gates_stay families =
    List.iter
      (fun (family : Families.family) ->
        try C.invariant network key ~gates_stay family with
        | Evaluate.Moves why -> refuted (Printf.sprintf "family %S: %s" family.label why)
        | No_value -> refuted (Printf.sprintf "family %S: something is divided by zero" family.label))
      families
  in
  let invariant ~gates_stay families =
    still ~gates_stay families;
    try C.independent network ~weights:(C.weights network key) families (directions ()) with No_value -> refuted "directions divide by zero"
  in
  match kind with
  | "dimension" ->
      let rows = whole_list ~most:(1 lsl 40) (List.assoc "rows" claims) in
      let columns = whole_list ~most:(parameters network - 1) (List.assoc "columns" claims) in
      if List.length rows <> List.length columns || not (distinct rows && distinct columns) then
        refuse "as many rows as columns are expected";
      let point = List.assoc_opt "point" claims in
      if is_real network && point = None && rows <> [] then refuse "a real point is expected";
      if List.length rows > 4000 then raise (Too_large "more than 4,000 rows");
      let listed = List.assoc_opt "inputs" claims in
      if (network.units = None) <> (listed = None) then refuse "inputs are expected if tokens are read";
      let inputs = List.map (input_of network) (list (Option.value listed ~default:(List []))) in
      let outputs = fst network.output * snd network.output in
      if network.units <> None && List.exists (fun row -> row >= outputs * List.length inputs) rows then
        refuse "rows of inputs that are there are expected";
      check_point network point;
      let families = families_of network claims in
      invariant ~gates_stay:(network.units = Some (0, 0)) families;
      if rows = [] then C.has_value network key
      else if point = None then begin
        try C.minor network key ~weights:(C.weights network key) ~inputs rows columns with No_value -> refuted "there is no value at a row of the minor"
      end;
      let least = List.length rows in
      let removed = List.fold_left (fun n (f : Families.family) -> n + List.length f.entries) 0 families in
      let most = parameters network - removed in
      (Printf.sprintf "the dimension is at least %d and at most %d" least most, rows = [] || point = None)
  | "pieces" ->
      let point = List.assoc_opt "point" claims in
      if is_real network && point = None then refuse "a real point is expected";
      if network.units <> None then refuse "vectors are expected";
      check_point network point;
      let cut = Pieces.read claims and families = families_of ~cut:true network claims in
      still ~gates_stay:false families;
      let least = ref 0 and most = ref (parameters network) in
      (try
         C.alike network key cut families;
         List.iteri
           (fun piece times ->
             let numbers name =
               match list (List.assoc name claims) with
               | [ _; _; _ ] as three -> whole_list ~most:(1 lsl 40) (List.nth three piece)
               | _ -> refuse "three lists are expected"
             in
             let rows = numbers "rows" and columns = numbers "columns" and directions = numbers "directions" in
             if List.length rows <> List.length columns || not (distinct rows && distinct columns) then
               refuse "as many rows as columns are expected";
             if piece = 0 && rows = [] then refuse "rows of the hub are expected";
             C.piece network key cut families piece ~covered:(point = None) rows columns directions;
             least := !least + (times * List.length rows);
             most := !most - (times * List.length directions))
           [ 1; cut.copies - 1; cut.copies * (cut.copies - 1) / 2 ]
       with
      | No_value -> refuted "something is divided by zero"
      | Evaluate.Moves why -> refuted why);
      (Printf.sprintf "the dimension is at least %d and at most %d" !least !most, point = None)
  | "symmetry" ->
      let families = families_of network claims in
      if families = [] then refuse "families are expected";
      invariant ~gates_stay:false families;
      C.has_value network key;
      ("the value does not change along the families", true)
  | _ ->
      let prime = Option.map (whole ~least:2) (List.assoc_opt "prime" claims) in
      Option.iter (fun p -> if Z.probab_prime (Z.of_int p) 40 = 0 then refuse "a prime is expected") prime;
      if prime <> None && is_real network then refuse "no prime is expected";
      let module D = Check (struct let p = Option.value prime ~default:C.F.p end) in
      let check = D.different network key claims in
      let covered = not (is_real network) in
      if covered then (try check () with No_value -> refuted "there is no value");
      ("the functions of the two weights differ", covered)

let () =
  let say code message =
    print_endline message;
    exit code
  in
  let read path =
    let channel = open_in_bin path in
    really_input_string channel (min (in_channel_length channel) ((1 lsl 23) + 1))
  in
  match Array.to_list Sys.argv with
  | [ _; "--chance"; path ] ->
      let key = Hashes.sha256 (read path) in
      let module F = Residues (struct let p = prime_of key end) in
      let drawn = Array.to_list (F.random (key ^ "/weights") 100) in
      say 0 (String.concat " " (key :: List.map string_of_int (F.p :: drawn)))
  | [ _; path ] -> (
      match verify (read path) with
      | claim, true -> say 0 ("verified: " ^ claim)
      | claim, false -> say 4 ("not covered, all else holds: " ^ claim)
      | exception Refuted why -> say 1 ("refuted: " ^ why)
      | exception (Refused why | Sys_error why) -> say 2 ("no certificate: " ^ why)
      | exception Elsewhere -> say 4 "not covered: a dimension by the theorem of blocks side by side"
      | exception Too_large why -> say 3 ("too large: " ^ why)
      | exception (Stack_overflow | Out_of_memory) -> say 3 "too large")
  | _ -> say 2 "usage: checker [--chance] FILE"
