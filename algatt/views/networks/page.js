// What Python embedded: {"written", "parameters", "tokens", "vocabulary", "source", "root"}.
// A layer has "parts", equal ones once with their "count".
const drawing = document.getElementById("drawing");
const details = document.getElementById("details");
const MOST = 24; // so many names of tensors of one family are listed

// ---------------------------------------------------------------- making elements

/** The name of a tensor as a formula: b_Q_1 is b with the indices Q and 1; words stand upright. */
function math(name) {
  const [base, ...indices] = name.split("_");
  const letter = (text) => (text.length === 1 && /[a-z]/i.test(text) ? html("i", {}, text) : text);
  const made = html("span", { class: "math" }, letter(base));
  if (indices.length > 0) made.append(html("sub", {}, ...listed(indices.map(letter), ",")));
  return made;
}

/** The names of tensors that differ in their numbers: all, or the first and the last. */
function names({ names: all, paths, tied }) {
  if (tied) return [math(all[0]), " = ", paths[0]];
  if (all.length > 3) return [math(all[0]), ", …, ", math(all.at(-1))];
  return listed(all.map(math), ", ");
}

const wire = (kind = "arrow") => html("div", { class: `wire ${kind}`, "aria-hidden": "true" });

// ---------------------------------------------------------------- the layers

const nodes = new Map(); // element -> layer

/** Make an element a node of the tree that can have the focus, and be opened and closed if something is in it. */
function node(element, layer, open) {
  nodes.set(element, layer);
  element.classList.add("node");
  element.setAttribute("role", "treeitem");
  element.setAttribute("tabindex", "-1");
  element.setAttribute("aria-label", inWords(layer));
  if (open !== undefined) element.setAttribute("aria-expanded", open);
  return element;
}

function inWords(layer) {
  return [layer.group, layer.key, layer.written, `value ${layer.output}`].filter(Boolean).join(", ");
}

function families(layer) {
  const row = (family) => html("tr", {}, html("td", {}, ...names(family)), html("td", {}, family.shape));
  const rows = layer.families.map(row);
  return html("table", { class: "families", role: "presentation" }, html("tbody", {}, ...rows));
}

const sign = () => html("span", { class: "sign", "aria-hidden": "true" });

/** The box of a layer; what it is made of stands in it, since only its own code knows how it is joined. */
function card(layer) {
  const factor = layer.count > 1 ? `${layer.count} × ` : "";
  const words = [...(layer.key ? [layer.key.replaceAll("_", " ")] : []), ...layer.phrases].join(", ");
  const holds = layer.parts.length > 0;
  const heading = html("div", { class: "name" }, ...(holds ? [sign()] : []), factor, layer.name);
  const top = html("div", { class: "top" }, html("div", {}, heading, html("div", { class: "words" }, words)));
  if (layer.families.length > 0) top.append(families(layer));
  const made = node(html("div", { class: `card ${layer.tone}` }, top), layer, holds ? true : undefined);
  if (holds) made.append(html("div", { class: "inside", role: "group" }, ...layer.parts.map(inner)));
  return made;
}

/** A part of a layer that says itself how it uses it. */
function inner(layer) {
  return layer.wiring === "inside" ? card(layer) : frame(layer, layer.group ?? layer.name);
}

/** A frame around layers, with a label. */
function frame(layer, label) {
  const heading = html("div", { class: "label" }, html("span", {}, sign(), label));
  const inside = html("div", { class: "inside sequence", role: "group" }, drawn(layer), wire("short"));
  return node(html("div", { class: "frame other" }, heading, inside), layer, true);
}

/** A layer with the line that leads into it. */
function drawn(layer) {
  if (layer.wiring === "inside") return html("div", { class: "sequence", role: "none" }, wire(), card(layer));
  if (layer.wiring === "residual") return around(layer);
  if (layer.wiring === "parallel") return branches(layer);
  const pieces = layer.parts.flatMap((part, place) => {
    const changes = place < layer.parts.length - 1 && part.output !== part.input;
    const mark = html("div", { class: "wire marked" }, html("span", {}, part.output));
    return changes ? [grouped(part), mark] : [grouped(part)];
  });
  return html("div", { class: "sequence", role: "none" }, ...pieces);
}

/** A layer, in a frame if it stands for several or has a name or a number of its own. */
function grouped(layer) {
  const named = layer.wiring === "sequence" && !layer.bare;
  if (layer.count > 1) return framed(layer, `${layer.count} ×`);
  if (named) return framed(layer, layer.name);
  return layer.group && layer.bare ? framed(layer, layer.group) : drawn(layer);
}

function framed(layer, label) {
  return html("div", { class: "sequence", role: "none" }, wire("short"), frame(layer, label));
}

function around(layer) {
  const skip = html("div", { class: "skip", "aria-hidden": "true" });
  const sum = html("div", { class: "sum", title: "sum", "aria-hidden": "true" });
  const parts = layer.parts.map(grouped);
  return html("div", { class: "residual", role: "none" }, skip, wire("short"), ...parts, wire(), sum);
}

function branches(layer) {
  const made = layer.parts.map((part) => html("div", { class: "branch", role: "none" }, grouped(part), wire("fill")));
  const sum = html("div", { class: "sum", title: "sum", "aria-hidden": "true" });
  const beside = html("div", { class: "branches", role: "none" }, ...made);
  return html("div", { class: "sequence", role: "none" }, wire("short"), beside, wire(), sum);
}

// ---------------------------------------------------------------- the details

function tensorTable(layer) {
  const rows = layer.families.map((family) => {
    const { paths: all, shape, tied } = family;
    const shown = all.length > MOST ? [...all.slice(0, MOST - 1), "…", all.at(-1)] : all;
    const paths = (tied ? [`${family.names[0]} = ${all[0]}`] : shown).map((path) => html("code", {}, path));
    return [listed(paths, ", "), shape];
  });
  return table(["tensors", "shape"], rows);
}

function describe(layer) {
  const rows = [["Written", html("code", {}, layer.written)]];
  if (layer.count > 1) rows.push(["Times", `${layer.count}, each with its own tensors; those of the first are shown`]);
  if (layer.line) rows.push(["Does", layer.line]);
  if (layer.arxiv.length > 0) rows.push(["Papers", layer.arxiv.map((number) => `arXiv:${number}`).join(", ")]);
  rows.push(["Input", layer.input], ["Value", layer.output]);
  rows.push(["Parameters", (layer.count * layer.parameters).toLocaleString("en")]);
  const shown = [html("h2", {}, layer.group && layer.parts.length > 0 ? layer.group : layer.name), list(rows)];
  return layer.families.length > 0 ? [...shown, tensorTable(layer)] : shown;
}

function describeNetwork() {
  const [height, width] = data.source ?? [0, 0];
  const numbers = data.source ? `${width} vectors of ${height} numbers and ` : "";
  const read = `${numbers}${data.tokens - width} tokens of a vocabulary of ${data.vocabulary}`;
  const rows = [
    ["Written", html("code", {}, data.written)],
    ["Input", data.vocabulary === null ? data.root.input : read],
    ["Value", data.root.output],
    ["Parameters", data.parameters.toLocaleString("en")],
  ];
  const advice = "Choose a layer to see what it computes and how its tensors are named.";
  return [html("h2", {}, "The network"), list(rows), html("p", {}, advice)];
}

// ---------------------------------------------------------------- what the reader does

let current = null;

/** Choose a layer, or none. */
function choose(element, { focus = true } = {}) {
  current?.classList.remove("current");
  current?.removeAttribute("aria-selected");
  current = element;
  for (const other of nodes.keys()) other.setAttribute("tabindex", "-1");
  (element ?? nodes.keys().next().value).setAttribute("tabindex", "0");
  details.replaceChildren(...(element ? describe(nodes.get(element)) : describeNetwork()));
  if (!element) return;
  element.classList.add("current");
  element.setAttribute("aria-selected", "true");
  if (!focus) return;
  element.focus({ preventScroll: true });
  element.querySelector(".name, .label").scrollIntoView({ block: "nearest", inline: "nearest" });
}

const isOpen = (element) => element.getAttribute("aria-expanded") === "true";
const isClosed = (element) => element.getAttribute("aria-expanded") === "false";

function setOpen(element, open) {
  if (!element.hasAttribute("aria-expanded")) return;
  element.setAttribute("aria-expanded", open);
}

function setAll(open) {
  for (const element of nodes.keys()) setOpen(element, open);
  if (current && !visible().includes(current)) choose(visible().findLast((element) => element.contains(current)));
}

const parentOf = (element) => element.parentElement.closest(".node");

/** The layers that can be seen, in the order of the network. */
function visible() {
  const isShown = (element) => !element.parentElement.closest("[aria-expanded='false']");
  return [...drawing.querySelectorAll(".node")].filter(isShown);
}

function move(by) {
  const order = visible();
  const place = current ? order.indexOf(current) + by : 0;
  choose(order[Math.min(Math.max(place, 0), order.length - 1)]);
}

function goIn() {
  if (!current) return move(0);
  if (isClosed(current)) return setOpen(current, true);
  const first = isOpen(current) ? current.querySelector(".node") : null;
  if (first) choose(first);
}

function goOut() {
  if (!current) return;
  if (isOpen(current)) setOpen(current, false);
  else if (parentOf(current)) choose(parentOf(current));
}

const KEYS = {
  ArrowUp: () => move(-1),
  ArrowDown: () => move(1),
  ArrowLeft: goOut,
  ArrowRight: goIn,
  Home: () => choose(visible()[0]),
  End: () => choose(visible().at(-1)),
  Enter: () => current && setOpen(current, !isOpen(current)),
  " ": () => current && setOpen(current, !isOpen(current)),
  Escape: () => choose(null),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("button, summary")) return;
  if (!KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
}

let before = null; // what was chosen before the pointer went down, which moves the focus

function onClick(event) {
  const element = event.target.closest(".node");
  if (element && element === before && event.target.closest(".name, .label")) setOpen(element, !isOpen(element));
  choose(element, { focus: element !== null });
}

/** Give all boxes that are on the axis the width of the widest. */
function align() {
  const boxes = [...drawing.querySelectorAll(".card")].filter((box) => !box.parentElement.closest(".card, .branch"));
  drawing.style.setProperty("--column", `${Math.ceil(Math.max(0, ...boxes.map((box) => box.offsetWidth)))}px`);
}

function start() {
  const first = html("div", { class: "end" }, math("X"), ` ${data.root.input}`);
  const last = html("div", { class: "end" }, data.root.output);
  drawing.append(first, grouped(data.root), wire(), last);
  align();
  choose(null);
  document.addEventListener("keydown", onKey);
  document.getElementById("canvas").addEventListener("pointerdown", () => (before = current));
  document.getElementById("canvas").addEventListener("click", onClick);
  drawing.addEventListener("focusin", ({ target }) => {
    if (nodes.has(target) && target !== current) choose(target, { focus: false });
  });
  document.getElementById("open-all").addEventListener("click", () => setAll(true));
  document.getElementById("close-all").addEventListener("click", () => setAll(false));
}

start();
