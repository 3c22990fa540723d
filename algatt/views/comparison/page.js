"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");

function add(parent, name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  parent.append(made);
  return made;
}

function table(headings, rows) {
  const made = add(main, "table");
  const head = add(add(made, "thead"), "tr");
  for (const heading of headings) add(head, "th", heading).scope = "col";
  const body = add(made, "tbody");
  for (const [cells, kind] of rows) {
    const row = add(body, "tr", undefined, kind);
    for (const cell of cells) add(row, "td", cell);
  }
}

const number = (value) => (value === null ? "not found" : value.toExponential(2));
const broken = new Set(data.broken);

add(main, "h1", data.title);
add(main, "p", data.reason);
if (data.hypothesis) add(main, "p", `What was done: ${data.hypothesis}.`);
add(main, "h2", "Spaces");
const list = add(main, "ul", undefined, "spaces");
for (const one of data.spaces) {
  const entry = add(list, "li", `${one.name}: ${one.fits ? "fits" : "differs"}`, one.fits ? "fits" : "fails");
  entry.title = `${one.group}, ${one.size} coordinates, moves ${one.tensors.join(", ")}`;
}
table(
  ["space", "group", "coordinates", "residual", ""],
  data.spaces.map((one) => [
    [one.name, one.group, one.size, number(one.residual), one.fits ? "fits" : "differs"],
    one.fits ? "" : "broken",
  ]),
);
add(main, "h2", "Tensors");
table(
  ["tensor", "residual", "bound for rounding", ""],
  data.tensors.map((one) => [
    [one.name, number(one.residual), number(one.bound), broken.has(one.name) ? "differs" : one.fits ? "fits" : "shows it"],
    broken.has(one.name) ? "broken" : "",
  ]),
);
