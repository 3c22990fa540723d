
// ---------------------------------------------------------------- the symmetries

// "symmetries": {"dimension", "families": [{"name", "group", "dimension", "alone", "tensors", "sides", "basis"}],
//   "legend": [[letter or word, meaning]]}
const COLOURS = 10; // in the style, as .space-0, ...

/** The layers in which some tensors are, each with the rows of its table that have one of them. */
function holders(tensors) {
  const found = [];
  for (const [element, layer] of nodes) {
    if (!element.classList.contains("card")) continue;
    const numbers = layer.families.flatMap(({ paths, tied }, number) =>
      !tied && paths.some((path) => tensors.includes(path)) ? [number] : [],
    );
    if (numbers.length > 0) found.push([element, numbers]);
  }
  return found;
}

function clearMoved() {
  for (const element of drawing.querySelectorAll(".moved")) {
    element.classList.remove("moved", ...Array.from({ length: COLOURS }, (_, number) => `space-${number}`));
  }
}

/** Tensors with the sides on which a group acts: "heads.Q_1 (rows)". */
function moves({ tensors, sides }) {
  const told = (tensor) => sides.filter(([name]) => name === tensor).map(([, side]) => side);
  return tensors.map((tensor) => [tensor, told(tensor).join(", ")]).map(([name, on]) => (on ? `${name} (${on})` : name));
}

function entry(family, number) {
  const colour = `space-${number % COLOURS}`;
  const swatch = html("span", { class: `swatch ${colour}`, "aria-hidden": "true" });
  const words = [html("span", {}, family.name), html("span", { class: "group" }, family.group ?? family.basis)];
  const button = html("button", { type: "button", "aria-pressed": "false" }, swatch, ...words, `${family.dimension}`);
  const alone = family.alone < family.dimension ? ` Of its dimension ${family.alone} alone.` : "";
  const below = html("div", { class: "moves", hidden: "" }, `${moves(family).join(", ")}.${alone} Basis: ${family.basis}.`);
  button.addEventListener("click", () => {
    const chosen = button.getAttribute("aria-pressed") === "true";
    clearMoved();
    for (const other of document.querySelectorAll("#symmetries button")) other.setAttribute("aria-pressed", "false");
    for (const other of document.querySelectorAll("#symmetries .moves")) other.hidden = true;
    if (chosen) return;
    button.setAttribute("aria-pressed", "true");
    below.hidden = false;
    const found = holders(family.tensors);
    for (const [element, numbers] of found) {
      element.classList.add("moved", colour);
      const rows = element.querySelector(".families").rows;
      for (const row of numbers) rows[row].classList.add("moved", colour);
    }
    found[0]?.[0].scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  return html("li", {}, button, below);
}

function showSymmetries({ dimension, families: all, legend }) {
  const heading = html("h2", {}, "Symmetries");
  const told = html("p", {}, `Together of dimension ${dimension}. Choose one to see the tensors that it moves.`);
  const words = legend.map(([name, meaning]) => html("p", { class: "legend" }, `${name}: ${meaning}`));
  const panel = html("section", { id: "symmetries" }, heading, told, html("ul", {}, ...all.map(entry)), ...words);
  document.querySelector("aside").prepend(panel);
}

showSymmetries(data.symmetries);
