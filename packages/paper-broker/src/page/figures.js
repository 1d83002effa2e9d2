import { money } from "./words.js";

const figures = {
  Balance: "balance",
  Equity: "equity",
  "Open profit": "grossPL",
  Today: "dayPL",
  "Used margin": "usdMr",
  "Usable margin": "usableMargin",
};

/** An account's figures. */
export function showFigures(place, row) {
  place.hidden = row === undefined;
  if (row === undefined) return;
  const named = Object.entries(figures).map(([name, field]) => [name, money(row[field])]);
  showTerms(place, Object.fromEntries(named));
}

/** Terms and their values; the terms stay the same ones. */
export function showTerms(place, terms) {
  for (const [index, [name, value]] of Object.entries(terms).entries()) {
    if (place.children[index] === undefined) place.append(item(name));
    place.children[index].lastChild.textContent = value;
  }
}

function item(name) {
  const made = document.createElement("div");
  const term = document.createElement("dt");
  term.textContent = name;
  made.append(term, document.createElement("dd"));
  return made;
}
