import { decimal } from "./format.js";

/** A table in a box of its own, which scrolls sideways where it is too wide. */
export class Table {
  #body;
  #columns;

  /** @param columns `[title, text of a row or an element, class name]` */
  constructor(place, name, columns) {
    this.#columns = columns;
    const box = element("div", "");
    Object.assign(box, { className: "scrolled", tabIndex: 0, role: "region", ariaLabel: name });
    const table = element("table", "");
    const head = table.createTHead().insertRow();
    for (const [title, , className = ""] of columns) {
      const cell = element("th", title);
      cell.scope = "col";
      cell.className = className;
      head.append(cell);
    }
    this.#body = table.createTBody();
    box.append(table);
    place.append(box);
  }

  show(rows) {
    // Buttons are the same elements in other rows.
    const focused = this.#body.querySelector(":focus");
    const drawn = rows.map((row) => {
      const line = element("tr", "");
      for (const [, contentOf, className = ""] of this.#columns) {
        const content = contentOf(row);
        const cell = line.insertCell();
        const sign = /^[+-]/.exec(content)?.[0];
        cell.className = `${className} ${sign === "+" ? "gain" : sign === "-" ? "loss" : ""}`;
        cell.append(content);
      }
      return line;
    });
    this.#body.replaceChildren(...drawn);
    focused?.focus({ preventScroll: true });
  }
}

export function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

export const money = (amount) => decimal(amount, 2);

export const percent = (share) => (share === null ? "–" : `${decimal(share * 100, 3)} %`);

export const signed = (amount) => `${amount > 0 ? "+" : ""}${amount.toFixed(2)}`;

/** A share with its sign. */
export const gain = (share) =>
  share === null ? "–" : `${share > 0 ? "+" : ""}${(share * 100).toFixed(3)} %`;

export const reward = (value) => (value === null ? "–" : value.toFixed(3));
