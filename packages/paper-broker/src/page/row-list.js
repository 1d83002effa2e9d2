/**
 * Shows rows in a table body. A row's elements stay as long as it is there, so that what a person
 * is about to press does not go away.
 */
export class RowList {
  #body;
  #elements = new Map();
  #fill;
  #create;

  /**
   * @param fill the texts of a row's cells; one that begins with + or - is coloured
   * @param create is told of a new row's element, once
   */
  constructor(body, fill, create) {
    this.#body = body;
    this.#fill = fill;
    this.#create = create;
  }

  show(rows) {
    for (const [key, element] of this.#elements) {
      if (rows.has(key)) continue;
      element.remove();
      this.#elements.delete(key);
    }
    for (const [key, row] of rows) {
      const texts = this.#fill(row);
      const element = this.#elements.get(key) ?? this.#add(key, row, texts.length);
      for (const [index, text] of texts.entries()) {
        const cell = element.cells[index];
        if (cell.textContent === text) continue;
        cell.textContent = text;
        cell.className = text.startsWith("+") ? "gain" : text.startsWith("-") ? "loss" : "";
      }
    }
  }

  #add(key, row, count) {
    const element = this.#body.insertRow();
    for (let cells = 0; cells < count; cells += 1) element.insertCell();
    this.#create(element, row);
    this.#elements.set(key, element);
    return element;
  }
}

/** A button in a cell of its own. */
export function addButton(element, text, label, press) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.setAttribute("aria-label", label);
  button.addEventListener("click", async () => {
    button.disabled = true;
    await press();
    button.disabled = false;
  });
  element.insertCell().append(button);
}
