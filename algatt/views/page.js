"use strict";

// All pages begin with this script: what Python embedded, how elements are made, and the theme.
const data = JSON.parse(document.getElementById("data").textContent);

function filled(made, attributes, content) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

function html(name, attributes = {}, ...content) {
  return filled(document.createElement(name), attributes, content);
}

/** Pieces with a sign between them. */
function listed(pieces, sign) {
  return pieces.flatMap((piece, place) => (place > 0 ? [sign, piece] : [piece]));
}

/** A list of terms with what is said of them. */
function list(rows) {
  const pairs = rows.map(([term, content]) => [html("dt", {}, term), html("dd", {}, ...[content].flat())]);
  return html("dl", {}, ...pairs.flat());
}

/** A table with headings and rows of cells, each a list of pieces or one; a row may have a class. */
function table(headings, rows, kinds = []) {
  const head = html("tr", {}, ...headings.map((heading) => html("th", { scope: "col" }, heading)));
  const body = rows.map((cells, number) =>
    html("tr", { class: kinds[number] ?? "" }, ...cells.map((cell) => html("td", {}, ...[cell].flat()))),
  );
  return html("table", {}, html("thead", {}, head), html("tbody", {}, ...body));
}

// The theme is that of the system until the reader chooses the other one. Who draws it listens to "theme".
const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return (document.documentElement.dataset.theme ?? (darkSystem.matches ? "dark" : "light")) === "dark";
}

function showTheme() {
  document.getElementById("theme").setAttribute("aria-pressed", isDark());
  document.dispatchEvent(new Event("theme"));
}

darkSystem.addEventListener("change", showTheme);
document.getElementById("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  showTheme();
});
showTheme();

