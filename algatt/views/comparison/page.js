// "data": {"reason", "hypothesis", "broken", "spaces", "tensors", "files": [[name, SHA-256]], "legend": [[letter, meaning]]}
const number = (value) => (value === null ? "not found" : value.toExponential(2));
const verdict = (fits) => (fits ? "fits" : "differs");
const isBroken = ({ name }) => data.broken.includes(name);

const entries = data.spaces.map(({ name, group, tensors, fits }) =>
  html(
    "li",
    { class: fits ? "fits" : "fails", title: `${group}, moves ${tensors.join(", ")}` },
    `${name}: ${verdict(fits)}`,
  ),
);
document.getElementById("main").append(
  html("p", {}, data.reason),
  ...(data.hypothesis ? [html("p", {}, `What was done: ${data.hypothesis}.`)] : []),
  ...(data.files.length > 0 ? [table(["file", "SHA-256"], data.files)] : []),
  html("h2", {}, "Spaces"),
  html("ul", { class: "spaces" }, ...entries),
  table(
    ["space", "group", "tensors", "residual", ""],
    data.spaces.map((one) => [one.name, one.group, one.tensors.join(", "), number(one.residual), verdict(one.fits)]),
    data.spaces.map((one) => (one.fits ? "" : "broken")),
  ),
  list(data.legend),
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
