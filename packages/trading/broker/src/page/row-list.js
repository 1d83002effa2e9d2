/** Rows drawn beyond the view, so that scrolling by keyboard finds the next one. */
const margin = 12;
/** Up to this many rows, all are drawn. */
const fewRows = 60;

/**
 * A scrolling table that draws only the rows in view, since a thousand positions may change with every price.
 * A row in view keeps its elements, so that a button stays in place while the user presses it.
 */
export class RowList {
  #box;
  /** As tall as all rows together. */
  #space;
  #table;
  #body;
  #columns;
  #create;
  #empty;
  #isClosed;
  #isConnected = true;
  #rows = [];
  #elements = new Map();

  /**
   * @param place the section that contains the table
   * @param options.columns `[title, text of a row, class name]`; texts that begin with + or - are coloured
   * @param options.create `(element, key)` is called once per new row
   * @param options.heading heading of the section; empty: none
   * @param options.empty the text for a table without rows
   * @param options.isClosed `(row)` says whether its market is closed: buttons with `data-trades` are disabled then
   */
  constructor(place, { columns, heading = "", empty = "", create = () => {}, isClosed }) {
    this.#columns = columns;
    this.#create = create;
    this.#isClosed = isClosed ?? (() => false);
    if (heading !== "") place.append(element("h2", heading));
    this.#box = element("div");
    this.#box.className = "scrolled";
    this.#box.tabIndex = 0;
    this.#box.role = "group";
    this.#box.ariaLabel = place.ariaLabel;
    this.#table = element("table");
    const head = this.#table.createTHead().insertRow();
    head.ariaRowIndex = "1";
    for (const [title, , className = ""] of columns) {
      const cell = element("th", title);
      cell.scope = "col";
      cell.className = className;
      head.append(cell);
    }
    this.#body = this.#table.createTBody();
    this.#empty = element("p", empty);
    this.#empty.className = "empty";
    this.#empty.tabIndex = -1;
    this.#space = element("div");
    this.#space.append(this.#table);
    this.#box.append(this.#space);
    place.append(this.#box, this.#empty);
    this.#box.addEventListener("scroll", () => this.#draw());
    new ResizeObserver(() => this.#draw()).observe(this.#box);
  }

  /**
   * @param rows a Map by key, in display order
   * @param isConnected false disables all buttons, also those of rows that are drawn later
   */
  show(rows, isConnected = true) {
    this.#rows = [...rows];
    this.#isConnected = isConnected;
    this.#table.ariaRowCount = String(this.#rows.length + 1);
    this.#empty.hidden = this.#rows.length > 0;
    this.#box.hidden = this.#rows.length === 0;
    this.#draw();
  }

  get elements() {
    return this.#elements;
  }

  #draw() {
    const [first, end] = this.#window();
    const shown = this.#rows.slice(first, end);
    const keys = new Set(shown.map(([key]) => key));
    for (const [key, row] of this.#elements) {
      if (!keys.has(key)) this.#remove(key, row);
    }
    let place = this.#body.firstChild;
    for (const [index, [key, row]] of shown.entries()) {
      const drawn = this.#elements.get(key) ?? this.#add(key);
      if (drawn === place) place = place.nextSibling;
      else this.#body.insertBefore(drawn, place);
      drawn.ariaRowIndex = String(first + index + 2);
      this.#fill(drawn, row);
    }
    const height = this.#rowHeight;
    this.#space.style.paddingTop = `${first * height}px`;
    this.#space.style.paddingBottom = `${(this.#rows.length - end) * height}px`;
  }

  #remove(key, row) {
    const hadFocus = row.contains(document.activeElement);
    row.remove();
    this.#elements.delete(key);
    // Else the focus would go back to the top of the page.
    if (hadFocus) (this.#box.hidden ? this.#empty : this.#box).focus({ preventScroll: true });
  }

  #window() {
    const count = this.#rows.length;
    if (count <= fewRows) return [0, count];
    const height = this.#rowHeight;
    const first = Math.floor(this.#box.scrollTop / height) - margin;
    const shown = Math.ceil(this.#box.clientHeight / height) + 2 * margin;
    const start = Math.min(Math.max(0, first), count - Math.min(count, shown));
    return [start, Math.min(count, start + shown)];
  }

  get #rowHeight() {
    return this.#body.firstChild?.offsetHeight || 36;
  }

  #fill(drawn, row) {
    for (const [index, [, textOf, className = ""]] of this.#columns.entries()) {
      if (textOf === null) continue;
      const cell = drawn.cells[index];
      const text = textOf(row);
      if (cell.textContent === text) continue;
      cell.textContent = text;
      const sign = text.startsWith("+") ? "gain" : text.startsWith("-") ? "loss" : "";
      cell.className = `${className} ${sign}`;
    }
    for (const button of drawn.querySelectorAll("button")) {
      const isClosed = button.dataset.trades !== undefined && this.#isClosed(row);
      button.disabled = !this.#isConnected || isClosed;
      const title = isClosed ? "The market is closed" : "";
      if (button.title !== title) button.title = title;
    }
  }

  #add(key) {
    const row = element("tr");
    for (const [, , className = ""] of this.#columns) row.insertCell().className = className;
    this.#create(row, key);
    this.#elements.set(key, row);
    return row;
  }
}

function element(name, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
