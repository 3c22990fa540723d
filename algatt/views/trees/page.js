// What Python embedded: {"graph": attributes, "nodes": [{"id", ...attributes}], "edges": [{"source", "target", "places"}]}.
const isTree = data.graph.kind === "tree";
const layers = data.graph.layers;

const drawing = document.getElementById("drawing");
const scene = document.getElementById("scene");
const sequence = document.getElementById("sequence");
const canvas = document.getElementById("canvas");

const ROW = layers <= 3 ? 96 : 80; // height of a layer
const COLUMN = { leaf: 60, input: 72, output: 52, folded: 76 };
const RADIUS = 18;
const BASELINE = 42; // of the indices, below the leaves
const LARGEST = 1500; // more visible leaves than this are not offered
const READABLE = 0.72; // smallest scale at which the labels can be read
const SMALLEST = 0.02; // smallest scale of all
const MARGIN = 12; // between the drawing and the edge of the canvas
const TOP = -26; // of the drawing: above the root

// ---------------------------------------------------------------- the graph

const nodes = new Map(data.nodes.map((node) => [node.id, { ...node, children: [], parent: null, places: new Map() }]));
for (const { source, target, places } of data.edges) {
  const listed = String(places).split(",");
  for (const place of listed) nodes.get(source).children[Number(place)] = target;
  nodes.get(source).places.set(target, listed.length);
  nodes.get(target).parent = source;
}
const root = nodes.get(data.graph.root);

/** Leaves and the input, in the order in which their token indices j_1, ..., j_N, i stand in a monomial; factors by slot. */
const positions = [null];
const slots = [null];

/** Number the leaves of a subtree from left to right and note which leaves and slots each node covers. */
function number(node) {
  node.firstLeaf = positions.length;
  node.firstSlot = slots.length;
  if (node.kind === "leaf" || node.kind === "input") {
    node.position = positions.length;
    positions.push(node);
  }
  if (node.kind === "factor") slots.push(node);
  for (const child of node.children) number(nodes.get(child));
  node.lastLeaf = positions.length - 1;
  node.lastSlot = slots.length - 1;
}
if (isTree) number(root);
const factorCount = slots.length - 1;

function ancestors(node) {
  const path = [];
  for (let id = node.parent; id !== null; id = nodes.get(id).parent) path.unshift(nodes.get(id));
  return path;
}

/** The reflection at a slot: r = 3^(k-1) leaves on either side change places; null where they would leave the product. */
function reflectionAt(slot) {
  const half = 3 ** (slots[slot].layer - 1);
  const first = slot - half + 1;
  const last = slot + half;
  return first < 1 || last >= positions.length ? null : { slot, half, first, last };
}

// ---------------------------------------------------------------- making elements

function svg(name, attributes = {}, ...content) {
  return filled(document.createElementNS(drawing.namespaceURI, name), attributes, content);
}

/** Split "M_1^T" into [{base: "M", sub: "1", sup: "T"}], "X X^T" into two parts. */
function parts(symbol) {
  return symbol.split(" ").map((word) => {
    const [, base, sub = "", sup = ""] = word.match(/^([^_^]*)(?:_([^^]*))?(?:\^(.*))?$/) ?? [null, word];
    return { base: base.replace("phi", "φ"), sub, sup };
  });
}

/** A formula in html; several symbols are separated by spaces. */
function math(symbols) {
  const made = html("span", { class: "math" });
  parts(symbols).forEach(({ base, sub, sup }, index) => {
    if (index > 0) made.append(" ");
    const piece = html("span", {}, html("i", {}, base));
    if (sub && sup) piece.append(html("span", { class: "stack" }, html("span", {}, sub), html("span", {}, sup)));
    else if (sub) piece.append(html("sub", {}, sub));
    else if (sup) piece.append(html("sup", {}, sup));
    made.append(piece);
  });
  return made;
}

/** A formula as an svg text. */
function svgMath(symbols, attributes) {
  const made = svg("text", attributes);
  const small = (text, dy, dx = 0) => svg("tspan", { class: "small", dy, dx }, text);
  parts(symbols).forEach(({ base, sub, sup }, index) => {
    const space = index > 0 ? " " : "";
    made.append(svg("tspan", { "font-style": "italic" }, space + base));
    if (sup) made.append(small(sup, -6, 0.5));
    if (sub) made.append(small(sub, sup ? 10 : 4, sup ? -6 : 0.5));
    if (sub || sup) made.append(svg("tspan", { dy: sub ? -4 : 6 }, "\u200b"));
  });
  return made;
}

/** A symbol in words, for screen readers. */
function spoken(symbol) {
  return symbol.replace(/^phi$/, "phi of X").replaceAll("_", " ").replaceAll("^T", " transposed");
}

const indexName = (position) => (position === positions.length - 1 ? "i" : `j_${position}`);
const subscript = (n) => [...String(n)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]).join("");
const digitsOf = (slot) => slot.toString(3).padStart(layers, "0");
const layerClass = ({ kind, layer }) => (kind === "power" || kind === "factor" ? `layer-${((layer - 1) % 6) + 1}` : "");

// ---------------------------------------------------------------- what is shown

const state = {
  open: new Set(), // subtrees that the reader opened
  passing: new Set(), // subtrees that are open only as long as the chosen slot is in them
  slot: 0,
  reflection: true,
  focus: root.id,
  x: 0,
  y: 0,
  scale: 1,
};

const foldable = (node) => isTree && node.kind === "power" && node.children.length > 0;
const isOpen = (node) => !foldable(node) || state.open.has(node.id) || state.passing.has(node.id);

/** Open the tree down to P_depth; 0 shows the leaves. */
function openDownTo(depth) {
  state.passing.clear();
  state.open = new Set([...nodes.values()].filter((node) => foldable(node) && node.layer > depth).map((node) => node.id));
}

/** The node itself, or the closed subtree that hides it. */
function visible(node) {
  return ancestors(node).find((ancestor) => !isOpen(ancestor)) ?? node;
}

// ---------------------------------------------------------------- where things are

const rowOf = (node) => {
  if (node.kind === "factor") return node.layer - 1;
  if (node.kind === "output") return layers - 1;
  if (node.kind === "function") return layers;
  return node.kind === "power" ? node.layer : 0;
};
const heightOf = (node) => (layers - rowOf(node)) * ROW;

/** Give each visible node of the tree its place: leaves and closed subtrees take a column, factors the gap between two, parents the middle. */
function layoutTree() {
  const placed = [];
  let x = 0;
  const place = (node) => {
    node.y = heightOf(node);
    placed.push(node);
    if (node.kind === "factor") {
      node.x = x;
    } else if (node.children.length > 0 && isOpen(node)) {
      const children = node.children.map((id) => nodes.get(id));
      children.forEach(place);
      node.x = (children[0].x + children.at(-1).x) / 2;
    } else {
      const width = foldable(node) ? COLUMN.folded : COLUMN[node.kind];
      node.x = x + width / 2;
      x += width;
    }
  };
  place(root);
  return { placed, left: 0, right: x, bottom: heightOf({ kind: "leaf" }) + BASELINE + 70 };
}

/** The shared graph by layers: the P_i in the middle, the gaps on the right. */
function layoutShared() {
  const column = { function: 0, power: 0, leaf: 0, output: 120, input: 300 };
  for (const node of nodes.values()) {
    node.x = node.kind === "factor" ? (node.transposed ? 120 : 220) : column[node.kind];
    node.y = heightOf(node);
  }
  return { placed: [...nodes.values()], left: -60 - bulgeOf(layers), right: 320 + 0.75 * bulgeOf(layers), bottom: heightOf({ kind: "leaf" }) + 40 };
}

const layout = () => (isTree ? layoutTree() : layoutShared());

// ---------------------------------------------------------------- drawing

let box = null;
const drawn = new Map(); // node id -> its group in the drawing

/** How far an edge of the shared graph bends aside to pass the layers between its ends. */
const bulgeOf = (span) => Math.min(40 + 24 * span, 400);

function edgePath(parent, child) {
  if (isTree) return `M${parent.x} ${parent.y}V${parent.y + ROW / 2}H${child.x}V${child.y}`;
  const span = rowOf(parent) - rowOf(child);
  const bulge = Math.sign(child.x || -1) * bulgeOf(span);
  if (span <= 1) return `M${parent.x} ${parent.y}L${child.x} ${child.y}`;
  return `M${parent.x} ${parent.y}C${child.x + bulge} ${parent.y + ROW / 2} ${child.x + bulge} ${child.y - ROW / 2} ${child.x} ${child.y}`;
}

function drawEdge(parent, child) {
  const group = svg("g", { "aria-hidden": "true" });
  group.append(svg("path", { class: `edge ${child.kind}`, d: edgePath(parent, child), "data-from": parent.id, "data-to": child.id }));
  const times = parent.places.get(child.id);
  if (times > 1) group.append(svg("text", { class: "count", x: child.x + 16, y: (parent.y + child.y) / 2 + 4 }, `×${times}`));
  return group;
}

/** The closed subtree below its P_i, down to the indices of its leaves. */
function drawFold(node) {
  const bottom = heightOf({ kind: "leaf" }) + BASELINE - 16 - node.y;
  return svg("path", { class: "folded", d: `M0 ${RADIUS - 2}L${COLUMN.folded / 2 - 6} ${bottom}H${6 - COLUMN.folded / 2}Z` });
}

function shapeOf(node) {
  if (node.kind === "leaf" && isTree) return svg("circle", { class: "shape", r: 8 });
  if (node.kind === "power") return svg("circle", { class: "shape", r: RADIUS });
  const half = { function: 26, leaf: 30 }[node.kind] ?? 16;
  return svg("rect", { class: "shape", x: -half, y: -15, width: 2 * half, height: 30, rx: node.kind === "factor" ? 4 : 12 });
}

/** The little + or - below a P_i that says that a click opens or closes. */
function drawSign(node) {
  const lines = isOpen(node) ? "M-3.5 0H3.5" : "M-3.5 0H3.5M0 -3.5V3.5";
  return svg(
    "g",
    { transform: `translate(0 ${RADIUS + 3})` },
    svg("circle", { class: "sign", r: 6.5 }),
    svg("path", { class: "sign-line", d: lines }),
  );
}

function describeInWords(node) {
  const words = [spoken(node.symbol)];
  if (node.kind === "factor" && node.slot > 0) words.push(`slot ${node.slot} of ${factorCount}, base 3: ${[...digitsOf(node.slot)].join(" ")}`);
  if (isTree && node.kind === "leaf") words.push(`leaf ${node.position}`);
  if (foldable(node)) words.push(`leaves ${node.firstLeaf} to ${node.lastLeaf}`);
  return words.join(", ");
}

function drawNode(node) {
  const group = svg("g", {
    class: ["node", node.kind, layerClass(node), node.transposed ? "transposed" : ""].join(" "),
    transform: `translate(${node.x} ${node.y})`,
    role: "treeitem",
    tabindex: node.id === state.focus ? 0 : -1,
    "aria-label": describeInWords(node),
    "aria-level": ancestors(node).length + 1,
    "data-id": node.id,
  });
  if (node.slot > 0) group.dataset.slot = node.slot;
  if (isTree && node.position) group.dataset.position = node.position;
  if (foldable(node)) group.setAttribute("aria-expanded", isOpen(node));
  if (!isOpen(node)) group.append(drawFold(node));
  group.append(svg("rect", { class: "halo", x: -32, y: -22, width: 64, height: 44, rx: 10 }), shapeOf(node));
  if (node.kind === "leaf" && isTree) return group;
  const symbol = node.kind === "function" ? "phi(X)" : node.symbol;
  group.append(svgMath(symbol, { dy: "0.33em" }));
  if (foldable(node)) group.append(drawSign(node));
  return group;
}

/** The name of a leaf's token index, or of those of a closed subtree. */
function drawIndex(node) {
  const names = node.firstLeaf === node.lastLeaf ? indexName(node.firstLeaf) : `j_${node.firstLeaf} – j_${node.lastLeaf}`;
  const made = svgMath(names, { class: "index", x: node.x, y: heightOf({ kind: "leaf" }) + BASELINE, "aria-hidden": "true" });
  made.dataset.leaf = node.id;
  return made;
}

/** Draw the window of the chosen slot, its axis, and an arc for each pair of leaves that change places. */
function drawReflection() {
  const made = svg("g", { id: "mirror", "aria-hidden": "true" });
  const window_ = state.slot && state.reflection ? reflectionAt(state.slot) : null;
  if (!window_) return made;
  const floor = heightOf({ kind: "leaf" }) + BASELINE + 8;
  const at = (position) => visible(positions[position]).x;
  const margin = (position) => (isOpen(visible(positions[position])) ? 13 : COLUMN.folded / 2 - 6); // up to the next factor
  const [left, right] = [at(window_.first) - margin(window_.first), at(window_.last) + margin(window_.last)];
  const axis = visible(slots[state.slot]);
  const top = heightOf(axis) - 26;
  made.append(svg("rect", { class: "window-band", x: left, y: top, width: right - left, height: floor - top, rx: 10 }));
  made.append(svg("path", { class: "axis", d: `M${axis.x} ${axis.y}V${floor}` }));
  const seen = new Set();
  for (let p = window_.half - 1; p >= 0; p -= 1) {
    const [a, b] = [at(state.slot - p), at(state.slot + 1 + p)];
    if (seen.has(`${a} ${b}`)) continue;
    seen.add(`${a} ${b}`);
    const depth = Math.min(16 + 0.13 * (b - a), 60 + 0.05 * (b - a));
    const kind = p === window_.half - 1 ? "arc outer" : "arc";
    made.append(svg("path", { class: kind, d: `M${a} ${floor}C${a} ${floor + 1.33 * depth} ${b} ${floor + 1.33 * depth} ${b} ${floor}` }));
  }
  return made;
}

/** Draw everything anew; the node with the focus keeps it. */
function render() {
  const hadFocus = drawing.contains(document.activeElement) && document.activeElement !== drawing;
  box = layout();
  if (!box.placed.some((node) => node.id === state.focus)) state.focus = visible(nodes.get(state.focus)).id;
  const pieces = [drawReflection()];
  for (const node of box.placed) {
    for (const child of isOpen(node) ? new Set(node.children) : []) pieces.push(drawEdge(node, nodes.get(child)));
  }
  drawn.clear();
  for (const node of box.placed) {
    const group = drawNode(node);
    drawn.set(node.id, group);
    pieces.push(group);
    if (isTree && (node.position || !isOpen(node))) pieces.push(drawIndex(node));
  }
  scene.replaceChildren(...pieces);
  mark();
  if (hadFocus) drawn.get(state.focus).focus({ preventScroll: true });
}

/** Mark the chosen slot and its window in the drawing and in the sequence. */
function mark() {
  for (const chip of sequence.children) {
    const chosen = Number(chip.dataset.slot) === state.slot;
    chip.classList.toggle("current", chosen);
    chip.setAttribute("aria-selected", chosen);
    chip.tabIndex = Number(chip.dataset.slot) === (state.slot || 1) ? 0 : -1;
  }
  if (!state.slot) return;
  const factor = slots[state.slot];
  const shown = visible(factor);
  drawn.get(shown.id).classList.add(shown === factor ? "current" : "holds-current");
  const window_ = state.reflection ? reflectionAt(state.slot) : null;
  if (!window_) return;
  for (let position = window_.first; position <= window_.last; position += 1) {
    const leaf = visible(positions[position]);
    const group = drawn.get(leaf.id);
    group.classList.add("window");
    if (position === window_.first || position === window_.last) group.classList.add("window-end");
    scene.querySelector(`.index[data-leaf="${leaf.id}"]`).classList.add("window");
  }
}

// ---------------------------------------------------------------- the view

function applyView() {
  scene.setAttribute("transform", `translate(${state.x} ${state.y}) scale(${state.scale})`);
}

function fitScale(bounds) {
  const { width, height } = canvas.getBoundingClientRect();
  const wide = (width - 2 * MARGIN) / (bounds.right - bounds.left);
  const high = (height - 2 * MARGIN) / (bounds.bottom - TOP);
  return { width, height, scale: Math.max(Math.min(wide, high, 1.25), SMALLEST) };
}

/** Where the root is: the tree in the middle, or with its top at that of the canvas if it is higher. */
const topOf = (height, scale) => Math.max(MARGIN, (height - scale * (box.bottom - TOP)) / 2) - TOP * scale;

function fit() {
  const { width, height, scale } = fitScale(box);
  state.scale = scale;
  state.x = (width - scale * (box.left + box.right)) / 2;
  state.y = topOf(height, scale);
  applyView();
}

/** Show the whole tree, or as much of its beginning as can be read. */
function fitReadably() {
  fit();
  if (state.scale >= READABLE) return;
  state.scale = READABLE;
  state.x = MARGIN - READABLE * box.left;
  state.y = topOf(canvas.getBoundingClientRect().height, READABLE);
  applyView();
  if (state.slot) bringIntoView(drawn.get(visible(slots[state.slot]).id));
}

function zoom(factor, x, y) {
  const { width, height } = canvas.getBoundingClientRect();
  const [centreX, centreY] = [x ?? width / 2, y ?? height / 2];
  const scale = Math.min(Math.max(state.scale * factor, SMALLEST), 6);
  state.x = centreX - ((centreX - state.x) * scale) / state.scale;
  state.y = centreY - ((centreY - state.y) * scale) / state.scale;
  state.scale = scale;
  applyView();
}

function pan(x, y) {
  state.x += x;
  state.y += y;
  applyView();
}

/** How far to move what is from start to end to be inside a length, but for margins, or to fill it if it is longer. */
function shift(start, end, length, margin) {
  const [toStart, toEnd] = [margin - start, length - margin - end];
  return Math.min(Math.max(0, Math.min(toStart, toEnd)), Math.max(toStart, toEnd));
}

/** Move the view just so far that a rectangle, in pixels of the canvas, is inside it. */
function panTo({ left, right, top, bottom }) {
  const { width, height } = canvas.getBoundingClientRect();
  pan(shift(left, right, width, MARGIN), shift(top, bottom, height, MARGIN));
}

/** Move the view just so far that an element of the drawing is inside it. */
function bringIntoView(element) {
  const [{ left, right, top, bottom }, frame] = [element.getBoundingClientRect(), canvas.getBoundingClientRect()];
  panTo({ left: left - frame.left, right: right - frame.left, top: top - frame.top, bottom: bottom - frame.top });
}

/** Scroll the page, where it is longer than the window, just so far that an element is in the window. */
function scrollIntoWindow(element) {
  const { top, bottom } = element.getBoundingClientRect();
  scrollBy(0, -shift(top, bottom, document.documentElement.clientHeight, 0));
}

/** Where the whole drawing is, in pixels of the canvas. */
function extent() {
  const { x, y, scale } = state;
  const [left, right, top, bottom] = [x + scale * box.left, x + scale * box.right, y + scale * TOP, y + scale * box.bottom];
  return { left, right, top, bottom };
}

/** Say whether the whole drawing is to be seen. */
function isWhole() {
  const [{ left, right, top, bottom }, { width, height }] = [extent(), canvas.getBoundingClientRect()];
  return left >= 0 && right <= width && top >= 0 && bottom <= height;
}

/** Leave no room beside a drawing that is cut at the other side; one that was whole stays so, if it can be read then. */
function settle(wasWhole) {
  const { scale } = fitScale(box);
  if (wasWhole && scale < state.scale && scale >= READABLE) zoom(scale / state.scale);
  panTo(extent());
}

/** Draw anew after a change of what is open, with a node staying where it was on the screen. */
function renderAround(node) {
  const before = { x: node.x, y: node.y };
  render();
  pan(state.scale * (before.x - node.x), state.scale * (before.y - node.y));
}

// ---------------------------------------------------------------- the details

function heading(symbol, note) {
  return html("h2", {}, math(symbol), html("small", {}, ...[note].flat()));
}

function recursion(i) {
  return `P_${i - 1} M_${i} P_${i - 1} M_${i}^T P_${i - 1}`;
}

/** The digits of a slot, the last one that is not zero underlined. */
function digits(slot) {
  const text = digitsOf(slot);
  const last = text.replace(/0+$/, "").length - 1;
  return html("span", { class: "digits", id: "digits" }, text.slice(0, last), html("b", {}, text[last]), text.slice(last + 1));
}

/** The factors around a slot, which itself is framed. */
function place(slot) {
  const [from, to] = [Math.max(slot - 1, 1), Math.min(slot + 1, factorCount)];
  const made = html("span", { class: "math" }, from > 1 ? "… " : "", ...(from === 1 ? [math("L"), " "] : []));
  for (let m = from; m <= to; m += 1) {
    made.append(math("X X^T"), " ", m === slot ? html("span", { class: "here" }, math(slots[m].symbol)) : math(slots[m].symbol), " ");
  }
  made.append(to < factorCount ? math("X X^T") : math("X"), to < factorCount ? " …" : "");
  return made;
}

function path(node) {
  return html("span", {}, ...listed(ancestors(node).map(({ symbol }) => math(symbol)), " › "));
}

function rule(slot) {
  const { layer, transposed } = slots[slot];
  const zeros = ["no zero", "one zero", "two zeros"][layer - 1] ?? `${layer - 1} zeros`;
  return [`last non-zero digit ${transposed ? 2 : 1}: ${transposed ? "transposed" : "not transposed"}; ${zeros} after it: layer ${layer}`];
}

function describeReflection(slot) {
  const window_ = reflectionAt(slot);
  const made = html("div", { id: "reflected" });
  if (!window_) {
    made.append(html("p", {}, "No reflection at this slot: fewer than ", String(3 ** (slots[slot].layer - 1)), " indices stand on its right."));
    return made;
  }
  const swaps = html("p", { class: "swaps" });
  for (let p = 0; p < window_.half; p += 1) {
    swaps.append(p > 0 ? ", " : "", html("span", {}, math(indexName(slot - p)), " ↔ ", math(indexName(slot + 1 + p))));
  }
  const [first, last] = [indexName(window_.first), indexName(window_.last)];
  const other = slots[slot].transposed ? slots[slot].symbol.replace("^T", "") : `${slots[slot].symbol}^T`;
  made.append(
    html("p", {}, "Reflection: the leaves on either side change places."),
    swaps,
    html("p", {}, "Where ", math(first), " = ", math(last), " the two monomials are equal, but for ", math(other), " in place of ", math(slots[slot].symbol), "."),
  );
  return made;
}

function describeFactor(node) {
  const rows = [
    ["Matrix", [math(node.symbol), node.transposed ? ", transposed" : ""]],
    ["Layer", String(node.layer)],
  ];
  if (!node.slot) return [heading(node.symbol, "factor"), list(rows)];
  const [left, right] = [indexName(node.slot), indexName(node.slot + 1)];
  rows.push(
    ["Slot", [html("span", { id: "slot" }, `${node.slot}`), ` of ${factorCount}`]],
    ["Base 3", [digits(node.slot)]],
    ["", rule(node.slot)],
    ["Place", [place(node.slot)]],
    ["Between", [math(left), " and ", math(right)]],
    ["In", [path(node)]],
  );
  return [heading(node.symbol, ["factor ", math(`F_${node.slot}`)]), list(rows), describeReflection(node.slot)];
}

function describeCover(node) {
  const leaves = node.lastLeaf - node.firstLeaf + 1;
  const rows = [["Equals", [math(recursion(node.layer))]], ["Layer", String(node.layer)]];
  if (isTree) {
    rows.push(
      ["Leaves", [`${leaves}: `, math(indexName(node.firstLeaf)), " to ", math(indexName(node.lastLeaf))]],
      ["Slots", `${node.firstSlot} to ${node.lastSlot}`],
      ["In", [path(node)]],
    );
  }
  return [heading(node.symbol, "symmetric"), list(rows)];
}

function describeLeaf(node) {
  const rows = [["Equals", [math(node.kind === "leaf" ? "X X^T" : "X")]]];
  if (isTree) {
    rows.push(
      ["Index", [math(indexName(node.position))]],
      ["Place", node.position > factorCount ? ["the last of the product: column ", math("i"), " of the output"] : [`leaf ${node.position}, left of slot ${node.position}`]],
      ["In", [path(node)]],
    );
  }
  const heads = node.kind === "leaf" ? heading("P_0", "the tokens' Gram matrix") : heading("X", "the input");
  return [heads, list(rows)];
}

/** The network: the chain, and what the page can do. */
function describeNetwork() {
  const chain = root.children.map((id) => nodes.get(id)).map((node) => (node.kind === "leaf" ? "P_0" : node.symbol));
  const rows = [
    ["Equals", [math(chain.join(" "))]],
    ["where", [math("P_0 = X X^T")]],
    ["", [math("P_i ="), " ", math("P_i-1 M_i P_i-1 M_i^T P_i-1")]],
    ["Layers", String(layers)],
    ["Factors", Number.isSafeInteger(data.graph.factors) ? data.graph.factors.toLocaleString("en") : `(3^${layers} - 1) / 2`],
  ];
  const advice = isTree ? "Choose a factor, or press → to go through the product." : "Equal subtrees are drawn once; ×3 counts how often one is used.";
  return [heading("phi", "the network"), list(rows), html("p", {}, advice)];
}

function describe(node) {
  if (node.kind === "factor") return describeFactor(node);
  if (node.kind === "power") return describeCover(node);
  if (node.kind === "leaf" || node.kind === "input") return describeLeaf(node);
  if (node.kind === "output") return [heading("L", "the product of the value matrices"), list([["Equals", [math(`V_${layers} … V_1`)]], ["Place", "the first of the product"]])];
  return describeNetwork();
}

/** Show a node in the details and light it, its edges and its part of the sequence; without a node, the chosen slot or the network. */
function show(node) {
  const shown = node ?? (state.slot ? slots[state.slot] : root);
  document.getElementById("details").replaceChildren(...describe(shown));
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  if (!node) return;
  drawn.get(node.id)?.classList.add("lit");
  for (const edge of scene.querySelectorAll(".edge")) {
    edge.classList.toggle("lit", edge.dataset.to === node.id || (!isTree && edge.dataset.from === node.id));
  }
  if (!isTree || (node.kind !== "factor" && node.kind !== "power")) return;
  for (let m = node.firstSlot; m <= node.lastSlot; m += 1) sequence.children[m - 1].classList.add("lit");
}

// ---------------------------------------------------------------- what the reader does

function toggle(node) {
  if (isOpen(node)) {
    state.open.delete(node.id);
    state.passing.delete(node.id);
  } else {
    state.open.add(node.id);
  }
  renderAround(node);
  show(node);
}

/**
 * Choose a slot, 0 for none; subtrees that hide it are open while it is chosen.
 *
 * A tree that is whole stays in the middle, else the slot stays where it was.
 */
function choose(slot) {
  const wasWhole = isWhole();
  const still = () => (wasWhole ? (box.left + box.right) / 2 : visible(slots[slot] ?? root).x);
  const before = still();
  state.slot = slot;
  state.passing = new Set(slot ? ancestors(slots[slot]).filter(foldable).map((node) => node.id) : []);
  render();
  pan(state.scale * (before - still()), 0);
  show(null);
  settle(wasWhole);
  if (!slot) return;
  const [chip, node] = [sequence.children[slot - 1], drawn.get(slots[slot].id)];
  const mirror = document.getElementById("mirror");
  if (mirror.hasChildNodes()) bringIntoView(mirror);
  bringIntoView(node); // last, as there may be no room for both
  const [top, bottom] = [chip.offsetTop, chip.offsetTop + chip.offsetHeight];
  if (top < sequence.scrollTop || bottom > sequence.scrollTop + sequence.clientHeight) sequence.scrollTop = top - sequence.clientHeight / 2;
  if (sequence.contains(document.activeElement)) chip.focus({ preventScroll: true });
  for (const wanted of [chip, node]) scrollIntoWindow(wanted);
  document.getElementById("status").textContent = describeInWords(slots[slot]);
}

function step(by) {
  if (!isTree) return;
  choose(Math.min(Math.max(state.slot + by, 1), factorCount));
}

function act(node) {
  if (foldable(node)) toggle(node);
  else if (node.slot > 0) choose(node.slot);
}

function setReflection(on) {
  state.reflection = on;
  document.getElementById("reflection").setAttribute("aria-pressed", on);
  render();
}

function focusNode(node) {
  drawn.get(state.focus)?.setAttribute("tabindex", -1);
  state.focus = node.id;
  const group = drawn.get(node.id);
  group.setAttribute("tabindex", 0);
  group.focus({ preventScroll: true });
  const halo = group.querySelector(".halo"); // around the label: there may be no room for a closed subtree
  bringIntoView(group);
  bringIntoView(halo);
  scrollIntoWindow(halo);
}

/** Move the focus in depth-first order through what is visible. */
function moveFocus(by) {
  const order = box.placed;
  const index = order.findIndex((node) => node.id === state.focus);
  focusNode(order[Math.min(Math.max(index + by, 0), order.length - 1)]);
}

const nodeAt = (event) => nodes.get(event.target.closest?.(".node")?.dataset.id);
const PAN = 60;
const PAN_KEYS = { w: [0, PAN], a: [PAN, 0], s: [0, -PAN], d: [-PAN, 0] };
const PAN_ARROWS = { ArrowUp: PAN_KEYS.w, ArrowLeft: PAN_KEYS.a, ArrowDown: PAN_KEYS.s, ArrowRight: PAN_KEYS.d };
const ANYWHERE = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  "+": () => zoom(1.25),
  "=": () => zoom(1.25),
  "-": () => zoom(0.8),
  0: fit,
  r: () => isTree && setReflection(!state.reflection),
  Escape: () => choose(0),
};
const IN_DRAWING = {
  ArrowUp: () => moveFocus(-1),
  ArrowDown: () => moveFocus(1),
  Home: () => focusNode(box.placed[0]),
  End: () => focusNode(box.placed.at(-1)),
  Enter: () => act(nodes.get(state.focus)),
  " ": () => act(nodes.get(state.focus)),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const move = event.shiftKey ? PAN_ARROWS[key] : PAN_KEYS[key];
  const inDrawing = drawing.contains(event.target) ? IN_DRAWING[key] : undefined;
  const action = move ? () => pan(...move) : (inDrawing ?? ANYWHERE[key]);
  if (!action) return;
  event.preventDefault();
  action();
}

let drag = null;

function onPointerMove(event) {
  if (!drag) return;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.moved && Math.hypot(x, y) < 5) return;
  if (!drag.moved) drawing.setPointerCapture(event.pointerId);
  drag = { x: event.clientX, y: event.clientY, moved: true };
  drawing.classList.add("dragging");
  pan(x, y);
}

function onClick(event) {
  const wasDrag = drag?.moved;
  drag = null;
  const node = nodeAt(event);
  if (wasDrag || !node) return;
  state.focus = node.id;
  act(node);
}

function listen() {
  document.addEventListener("keydown", onKey);
  drawing.addEventListener("wheel", (event) => {
    event.preventDefault();
    const frame = canvas.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - frame.left, event.clientY - frame.top);
  }, { passive: false });
  drawing.addEventListener("pointerdown", (event) => (drag = { x: event.clientX, y: event.clientY, moved: false }));
  drawing.addEventListener("pointermove", onPointerMove);
  drawing.addEventListener("pointerup", () => {
    drawing.classList.remove("dragging");
    if (!drag?.moved) drag = null;
  });
  drawing.addEventListener("pointercancel", () => (drag = null));
  drawing.addEventListener("click", onClick);
  drawing.addEventListener("pointerover", (event) => !drag?.moved && show(nodeAt(event) ?? null));
  drawing.addEventListener("pointerleave", () => show(null));
  // not on the drawing: an svg element that listens for the focus is a stop of the Tab key in Chromium
  canvas.addEventListener("focusin", (event) => show(nodeAt(event) ?? null));
  canvas.addEventListener("focusout", () => show(null));
  const slotAt = (event) => slots[Number(event.target.closest(".slot")?.dataset.slot)] ?? null;
  sequence.addEventListener("click", (event) => slotAt(event) && choose(slotAt(event).slot));
  sequence.addEventListener("pointerover", (event) => show(slotAt(event)));
  sequence.addEventListener("pointerleave", () => show(null));
  sequence.addEventListener("keydown", (event) => {
    const slot = { Home: 1, End: factorCount, Enter: state.slot || 1, " ": state.slot || 1 }[event.key];
    if (!slot) return;
    event.preventDefault();
    choose(slot);
  });
  document.getElementById("zoom-in").addEventListener("click", () => zoom(1.25));
  document.getElementById("zoom-out").addEventListener("click", () => zoom(0.8));
  document.getElementById("fit").addEventListener("click", fit);
  document.getElementById("reflection").addEventListener("click", () => setReflection(!state.reflection));
  document.getElementById("depth").addEventListener("change", (event) => {
    openDownTo(Number(event.target.value));
    render();
    fitReadably();
    show(null);
  });
}

// ---------------------------------------------------------------- the start

/** The depths to which the tree can be opened, the least first, with the bounds of the drawing then. */
const depths = [];

function makeSequence() {
  document.getElementById("product-title").replaceChildren(
    "The product ", math("phi(X)"), " = ", math("L X X^T F_1"), factorCount > 1 ? " … " : " ",
    ...(factorCount > 1 ? [math(`X X^T F_${factorCount}`), " "] : []), math("X"),
  );
  const chips = slots.slice(1).map((factor) => {
    const classes = ["slot", layerClass(factor), factor.transposed ? "transposed" : ""].join(" ");
    const attributes = { class: classes, role: "option", "data-slot": factor.slot, "aria-label": describeInWords(factor) };
    return html("div", attributes, math(factor.symbol), html("small", {}, String(factor.slot)));
  });
  sequence.replaceChildren(...chips);
}

/** Offer the depths to which the tree can be opened. */
function makeDepths() {
  for (let depth = layers - 1; depth >= 0; depth -= 1) {
    openDownTo(depth);
    const bounds = layoutTree();
    if (bounds.placed.length > 2 * LARGEST) break;
    depths.push({ depth, bounds });
    document.getElementById("depth").prepend(html("option", { value: depth }, depth === 0 ? "the leaves" : `P${subscript(depth)}`));
  }
}

/** Open the tree as far as its labels stay readable, and show it. */
function arrange() {
  if (isTree) {
    const readable = depths.filter(({ bounds }) => fitScale(bounds).scale >= READABLE);
    const { depth } = readable.at(-1) ?? depths[0];
    document.getElementById("depth").value = String(depth);
    openDownTo(depth);
  }
  render();
  fitReadably();
  show(null);
}

/** A frame may get its size, and a window another one, after the start: then begin anew, unless the reader has begun already. */
function arrangeWhenResized() {
  let begun = false;
  for (const kind of ["keydown", "pointerdown", "wheel", "change"]) document.addEventListener(kind, () => (begun = true), { capture: true });
  const size = () => `${canvas.clientWidth} x ${canvas.clientHeight}`;
  let arranged = size();
  new ResizeObserver(() => {
    if (begun || size() === arranged) return; // it calls once at the start, when all is arranged
    arranged = size();
    arrange();
  }).observe(canvas);
}

function makeLegend() {
  const legend = document.getElementById("legend");
  const sample = (kind, content, extra = "") =>
    svg("svg", { width: 44, height: 32, viewBox: "-22 -16 44 32" }, svg("g", { class: `node ${kind} ${extra}` }, ...content));
  const frame = () => svg("rect", { class: "shape", x: -16, y: -14, width: 32, height: 28, rx: 4 });
  legend.append(
    sample("leaf", [svg("circle", { class: "shape", r: 8 })]), html("span", {}, "leaf ", math("P_0 = X X^T"), " with its token index below"),
    sample("factor", [frame(), svgMath("M_k", { dy: "0.33em" })]), html("span", {}, "factor between two subtrees"),
    sample("factor", [frame(), svgMath("M_k^T", { dy: "0.33em" })], "transposed"), html("span", {}, "the same, transposed"),
  );
}

function start() {
  if (isTree) {
    makeSequence();
    makeDepths();
    makeLegend();
  } else {
    for (const id of ["depth-label", "reflection", "product", "legend"]) document.getElementById(id).hidden = true;
    for (const row of document.querySelectorAll(".of-tree")) row.hidden = true;
  }
  arrange();
  listen();
  arrangeWhenResized();
  performance.mark("interactive");
}

start();
