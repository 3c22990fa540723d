(* Programs: lines of instructions, read strictly, with the shapes of all results. *)

open Json

type operation =
  | Tensor of string
  | Input
  | Constant of Q.t array
  | Add
  | Multiply
  | Negate
  | Transpose
  | Product
  | Column_products
  | Centre
  | Take of int array * int array
  | Concatenate of int
  | Rotate of float array * int array
  | Reciprocal
  | Function of string
  | Largest of int

(* The shape, and the rows and columns of what has fewer axes: a number is 1 x 1, a list one row. *)
type instruction = { operation : operation; operands : int list; shape : int list }

let height one = match one.shape with [ h; _ ] -> h | _ -> 1
let width one = match one.shape with [ _; w ] | [ w ] -> w | _ -> 1
let size one = height one * width one
let functions = [ "exp"; "log"; "sqrt"; "erf"; "sigmoid"; "positive" ]
let words text = if text = "" then [] else String.split_on_char ' ' text

let between text first last =
  let n = String.length text and a = String.length first and b = String.length last in
  if n < a + b || String.sub text 0 a <> first || String.sub text (n - b) b <> last then refuse "a list is expected";
  String.sub text a (n - a - b)

(* The words of [[...] [...]]. *)
let two_lists text =
  match String.index_opt text ']' with
  | None -> refuse "two lists are expected"
  | Some k ->
      let second = String.sub text k (String.length text - k) in
      (words (between (String.sub text 0 k) "[[" ""), words (between second "] [" "]]"))

let angle word =
  String.iter (fun c -> if not (String.contains "0123456789.e+-" c) then refuse "an angle is expected") word;
  match float_of_string_opt word with
  | Some x when Float.abs x < 0x1p40 -> x
  | _ -> refuse "an angle is expected"

let distinct list = List.length (List.sort_uniq compare list) = List.length list

let instruction line (program : instruction array) count =
  if String.exists (fun c -> c >= '\128') line then refuse "a line that is not ASCII";
  let colon = match String.index_opt line ':' with Some k when k >= 2 -> k | _ -> refuse "no shape" in
  let stem = between (String.sub line 0 colon) "" "  " in
  let shape =
    match between (String.sub line colon (String.length line - colon)) ": " "" with
    | "number" -> []
    | text -> (
        match List.filter (( <> ) "x") (words text) with
        | [ w ] when text = w -> [ natural w ]
        | [ h; w ] when text = h ^ " x " ^ w -> [ natural h; natural w ]
        | _ -> refuse "no shape")
  in
  if List.mem 0 shape then refuse "an empty result";
  let name, rest = match words stem with [] -> refuse "no operation" | name :: rest -> (name, rest) in
  let rec split found = function
    | word :: rest when word <> "" && word.[0] = '%' ->
        let k = natural (String.sub word 1 (String.length word - 1)) in
        if k >= count then refuse "the result of no earlier instruction";
        split (k :: found) rest
    | rest -> (List.rev found, String.concat " " rest)
  in
  let operands, argument = split [] rest in
  let shapes = List.map (fun k -> program.(k).shape) operands in
  let require condition = if not condition then refuse ("what " ^ name ^ " takes does not fit") in
  let bare () = require (argument = "") in
  let wide (a : int list) (b : int list) =
    let rows s = match s with [ h; _ ] -> h | _ -> 1 and columns s = match s with [ _; w ] | [ w ] -> w | _ -> 1 in
    let both x y = require (x = y || x = 1 || y = 1); max x y in
    let h = both (rows a) (rows b) and w = both (columns a) (columns b) in
    match max (List.length a) (List.length b) with 2 -> [ h; w ] | 1 -> [ w ] | _ -> []
  in
  let operation, expected =
    match (name, shapes) with
    | "tensor", [] ->
        let plain c = not (String.contains " \t\n\r\011\012\028\029\030\031%:[]" c) in
        require (argument <> "" && String.for_all plain argument);
        (Tensor argument, shape)
    | "input", [] -> bare (); (Input, shape)
    | "constant", [] ->
        let entries = List.map fraction (words (between argument "[" "]")) in
        require (List.length entries = List.fold_left ( * ) 1 shape);
        (Constant (Array.of_list entries), shape)
    | "add", [ a; b ] -> bare (); (Add, wide a b)
    | "multiply", [ a; b ] -> bare (); (Multiply, wide a b)
    | "negate", [ a ] -> bare (); (Negate, a)
    | "reciprocal", [ a ] -> bare (); (Reciprocal, a)
    | "centre", [ ([ _; _ ] as a) ] -> bare (); (Centre, a)
    | "transpose", [ [ h; w ] ] -> bare (); (Transpose, [ w; h ])
    | "product", [ [ h; k ]; [ l; w ] ] when k = l -> bare (); (Product, [ h; w ])
    | "column_products", [ a; b ] -> (
        bare ();
        match wide a b with [ _; w ] -> (Column_products, [ 1; w ]) | _ -> refuse "no matrices")
    | "take", [ [ h; w ] ] ->
        let rows, columns = two_lists argument in
        let rows = List.map natural rows and columns = List.map natural columns in
        require (distinct rows && distinct columns && rows <> [] && columns <> []);
        require (List.for_all (fun i -> i < h) rows && List.for_all (fun j -> j < w) columns);
        (Take (Array.of_list rows, Array.of_list columns), [ List.length rows; List.length columns ])
    | "concatenate", _ :: _ ->
        require (argument = "0" || argument = "1");
        let axis = int_of_string argument in
        let along s = match s with [ h; w ] -> if axis = 0 then (h, w) else (w, h) | _ -> refuse "no matrices" in
        let sizes = List.map along shapes in
        let other = snd (List.hd sizes) in
        require (List.for_all (fun (_, s) -> s = other) sizes);
        let total = List.fold_left (fun t (s, _) -> t + s) 0 sizes in
        (Concatenate axis, if axis = 0 then [ total; other ] else [ other; total ])
    | "rotate", [ [ h; w ] ] ->
        let angles, positions = two_lists argument in
        let angles = List.map angle angles and positions = List.map natural positions in
        let pairs = List.length angles and n = List.length positions in
        require (pairs > 0 && 2 * pairs <= h && n > 0 && (w = n || w = 1 || n = 1));
        (Rotate (Array.of_list angles, Array.of_list positions), [ 2 * pairs; max w n ])
    | "largest", [ ([ h; _ ] as a) ] ->
        let k = natural argument in
        require (k > 0 && k <= h);
        (Largest k, a)
    | _, [ a ] when List.mem name functions -> bare (); (Function name, a)
    | _ -> refuse "an unknown instruction"
  in
  if expected <> shape then refuse "a result has another shape";
  { operation; operands; shape }

let parse lines =
  let lines = List.map text lines in
  if lines = [] then refuse "an empty program";
  if List.length lines > 5000 then raise (Too_large "a program of more than 5,000 lines");
  let empty = { operation = Input; operands = []; shape = [] } in
  let program = Array.make (List.length lines) empty in
  let read = Hashtbl.create 16 and entries = ref 0 in
  List.iteri
    (fun k line ->
      let one = instruction line program k in
      (match one.operation with
      | Tensor _ | Input ->
          if Hashtbl.mem read one.operation then refuse "a tensor, or the input, is read twice";
          Hashtbl.add read one.operation ()
      | _ -> ());
      entries := !entries + size one;
      if !entries > 1_000_000 then raise (Too_large "a program with more than 10^6 entries");
      program.(k) <- one)
    lines;
  program
