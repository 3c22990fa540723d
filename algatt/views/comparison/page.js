// "data": {"reason", "hypothesis", "broken", "spaces", "tensors"}
const number = (value) => (value === null ? "not found" : value.toExponential(2));
const verdict = (fits) => (fits ? "fits" : "differs");
const isBroken = ({ name }) => data.broken.includes(name);

const entries = data.spaces.map(({ name, group, size, tensors, fits }) =>
  html(
    "li",
    { class: fits ? "fits" : "fails", title: `${group}, ${size} coordinates, moves ${tensors.join(", ")}` },
    `${name}: ${verdict(fits)}`,
  ),
);
document.getElementById("main").append(
  html("p", {}, data.reason),
  ...(data.hypothesis ? [html("p", {}, `What was done: ${data.hypothesis}.`)] : []),
  html("h2", {}, "Spaces"),
  html("ul", { class: "spaces" }, ...entries),
  table(
    ["space", "group", "coordinates", "residual", ""],
    data.spaces.map((one) => [one.name, one.group, `${one.size}`, number(one.residual), verdict(one.fits)]),
    data.spaces.map((one) => (one.fits ? "" : "broken")),
  ),
  html("h2", {}, "Tensors"),
  table(
    ["tensor", "residual", "bound for rounding", ""],
    data.tensors.map((one) => {
      const found = isBroken(one) ? "differs" : one.fits ? "fits" : "shows it";
      return [one.name, number(one.residual), number(one.bound), found];
    }),
    data.tensors.map((one) => (isBroken(one) ? "broken" : "")),
  ),
);
