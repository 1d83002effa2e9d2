import { money } from "./words.js";

const figures = {
  Balance: "balance",
  Equity: "equity",
  "Open profit": "grossPL",
  Today: "dayPL",
  "Used margin": "usdMr",
  "Usable margin": "usableMargin",
};

/** Shows an account's figures, which are in its currency. */
export function showFigures(place, row, currency) {
  place.hidden = row === undefined;
  if (row === undefined) return;
  const named = Object.entries(figures).map(([name, field]) => [name, money(row[field])]);
  showTerms(place, { Currency: currency, ...Object.fromEntries(named) });
}

/** Shows terms and their values; the terms must stay the same. */
export function showTerms(place, terms) {
  for (const [index, [name, value]] of Object.entries(terms).entries()) {
    if (place.children[index] === undefined) place.append(item(name));
    place.children[index].lastChild.textContent = value;
  }
}

function item(name) {
  const entry = document.createElement("div");
  const term = document.createElement("dt");
  term.textContent = name;
  entry.append(term, document.createElement("dd"));
  return entry;
}
