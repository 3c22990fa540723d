(* JSON of certificates: UTF-8, integers alone, each name once in an object. *)

exception Refused of string
exception Too_large of string

let refuse message = raise (Refused message)

type t = Null | Bool of bool | Int of Z.t | Text of string | List of t list | Object of (string * t) list

(* The number of bytes of the character at a place, which has to be whole and in its shortest form. *)
let character text i =
  let byte k = if i + k < String.length text then Char.code text.[i + k] else 0 in
  let follow k low high = byte k >= low && byte k <= high in
  let rest n = List.for_all (fun k -> follow k 0x80 0xbf) (List.init n (fun k -> k + 2)) in
  match byte 0 with
  | b when b < 0x80 -> 1
  | b when b >= 0xc2 && b <= 0xdf && follow 1 0x80 0xbf -> 2
  | 0xe0 when follow 1 0xa0 0xbf && rest 1 -> 3
  | 0xed when follow 1 0x80 0x9f && rest 1 -> 3
  | b when b >= 0xe1 && b <= 0xef && b <> 0xed && follow 1 0x80 0xbf && rest 1 -> 3
  | 0xf0 when follow 1 0x90 0xbf && rest 2 -> 4
  | 0xf4 when follow 1 0x80 0x8f && rest 2 -> 4
  | b when b >= 0xf1 && b <= 0xf3 && follow 1 0x80 0xbf && rest 2 -> 4
  | _ -> refuse "no UTF-8"

let parse text =
  if String.length text > 1 lsl 23 then raise (Too_large "a file of more than 2^23 bytes");
  let nested = ref 0 in
  String.iter (fun c -> if String.contains "[{:," c then incr nested) text;
  if !nested > 1_000_000 then raise (Too_large "a file with more than 10^6 lists, names and entries");
  let place = ref 0 in
  while !place < String.length text do
    place := !place + character text !place
  done;
  place := 0;
  let peek () = if !place < String.length text then text.[!place] else '\000' in
  let rec space () =
    match peek () with
    | ' ' | '\t' | '\n' | '\r' -> incr place; space ()
    | _ -> ()
  in
  let expect word =
    let n = String.length word in
    if !place + n > String.length text || String.sub text !place n <> word then refuse "no JSON";
    place := !place + n
  in
  let hexadecimal () =
    if !place + 4 > String.length text then refuse "no JSON";
    let digits = String.sub text !place 4 in
    String.iter (fun c -> match c with '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> () | _ -> refuse "no JSON") digits;
    place := !place + 4;
    int_of_string ("0x" ^ digits)
  in
  (* The second half of a character, if it follows. *)
  let second_half () =
    let before = !place in
    let low = if peek () = '\\' then (incr place; if peek () = 'u' then (incr place; hexadecimal ()) else 0) else 0 in
    if low land 0xfc00 = 0xdc00 then Some low else (place := before; None)
  in
  let string () =
    expect "\"";
    let found = Buffer.create 16 in
    let rec go () =
      let c = peek () in
      if !place >= String.length text || c < ' ' then refuse "no JSON";
      incr place;
      match c with
      | '"' -> Buffer.contents found
      | '\\' ->
          let e = peek () in
          incr place;
          (match e with
          | '"' | '\\' | '/' -> Buffer.add_char found e
          | 'b' -> Buffer.add_char found '\b'
          | 'f' -> Buffer.add_char found '\012'
          | 'n' -> Buffer.add_char found '\n'
          | 'r' -> Buffer.add_char found '\r'
          | 't' -> Buffer.add_char found '\t'
          | 'u' ->
              let unit = hexadecimal () in
              let low = if unit land 0xfc00 = 0xd800 then second_half () else None in
              let code =
                match low with Some low -> 0x10000 + ((unit - 0xd800) lsl 10) + (low - 0xdc00) | None -> unit
              in
              if Uchar.is_valid code then Buffer.add_utf_8_uchar found (Uchar.of_int code)
              else Buffer.add_string found (Printf.sprintf "\\u%04x" code) (* half a character, in a label *)
          | _ -> refuse "no JSON");
          go ()
      | _ -> Buffer.add_char found c; go ()
    in
    go ()
  in
  let number () =
    let start = !place in
    if peek () = '-' then incr place;
    let first = !place in
    while match peek () with '0' .. '9' -> true | _ -> false do incr place done;
    let digits = !place - first in
    if digits = 0 || digits > 4000 || (digits > 1 && text.[first] = '0') then refuse "no integer";
    (match peek () with '.' | 'e' | 'E' -> refuse "no integer" | _ -> ());
    Int (Z.of_string (String.sub text start (!place - start)))
  in
  (* What stands between two signs, with commas between. *)
  let several close one =
    incr place;
    space ();
    let rec go found =
      let found = one () :: found in
      space ();
      match peek () with
      | ',' -> incr place; space (); go found
      | c when c = close -> incr place; List.rev found
      | _ -> refuse "no JSON"
    in
    if peek () = close then (incr place; []) else go []
  in
  let rec value depth =
    if depth > 200 then refuse "lists within lists";
    match peek () with
    | '{' ->
        let names = Hashtbl.create 16 in
        Object
          (several '}' (fun () ->
               let name = string () in
               if Hashtbl.mem names name then refuse "a name stands twice in one object";
               Hashtbl.add names name ();
               space (); expect ":"; space ();
               (name, value (depth + 1))))
    | '[' -> List (several ']' (fun () -> value (depth + 1)))
    | '"' -> Text (string ())
    | 't' -> expect "true"; Bool true
    | 'f' -> expect "false"; Bool false
    | 'n' -> expect "null"; Null
    | _ -> number ()
  in
  space ();
  let found = value 0 in
  space ();
  if !place < String.length text then refuse "no JSON";
  found

(* ----- what is expected *)

let list = function List l -> l | _ -> refuse "a list is expected"
let text = function Text t -> t | _ -> refuse "a text is expected"

let whole ?(least = 0) ?(most = max_int) = function
  | Int z when Z.fits_int z && Z.to_int z >= least && Z.to_int z <= most -> Z.to_int z
  | _ -> refuse "an integer within bounds is expected"

(* An object with these names, and perhaps those. *)
let members required optional = function
  | Object pairs ->
      List.iter (fun name -> if not (List.mem_assoc name pairs) then refuse (name ^ " is missing")) required;
      List.iter (fun (name, _) -> if not (List.mem name (required @ optional)) then refuse "an unknown name") pairs;
      pairs
  | _ -> refuse "an object is expected"

let natural word =
  let n = String.length word in
  if n = 0 || n > 10 || (n > 1 && word.[0] = '0') then refuse "a natural number is expected";
  String.iter (fun c -> if c < '0' || c > '9' then refuse "a natural number is expected") word;
  let found = int_of_string word in
  if found >= 1 lsl 31 then refuse "a natural number below 2^31 is expected";
  found

(* A fraction in lowest terms, of at most 2048 bits. *)
let fraction word =
  let digits part =
    part <> "" && String.for_all (fun c -> c >= '0' && c <= '9') part && (part = "0" || part.[0] <> '0')
  in
  let unsigned = if word <> "" && word.[0] = '-' then String.sub word 1 (String.length word - 1) else word in
  let parts = String.split_on_char '/' unsigned in
  if String.length word > 1000 || List.length parts > 2 || not (List.for_all digits parts) then
    refuse "a fraction is expected";
  if List.length parts = 2 && List.nth parts 1 = "0" then refuse "a fraction is expected";
  let value = Q.of_string word in
  if Q.to_string value <> word || max (Z.numbits value.num) (Z.numbits value.den) > 2048 then
    refuse "a fraction in lowest terms is expected";
  value

let number = function
  | Int z when Z.numbits z < 64 -> Q.of_bigint z
  | Text word -> fraction word
  | _ -> refuse "an integer, or a fraction as text, is expected"
