/** Pixels between labels, whose lines may be closer. */
const labelHeight = 26;
const columnWidth = 150;
const columnsIn = (width) => Math.max(1, Math.floor(width / columnWidth));
const keys = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/**
 * Positions and waiting orders as lines over a chart. Those that can be changed have a handle that is dragged, or moved
 * with the arrow keys and Enter. What the change will do is shown before it is done.
 */
export class OrderLines {
  #place;
  #preview;
  #lines = [];
  #drawn = new Map();
  /** The line that is being moved: `{ id, rate, isSending }`. */
  #moved = null;
  #chart = null;
  #isConnected = true;

  /** @param preview the element that says what will happen */
  constructor(place, preview) {
    this.#place = place;
    this.#preview = preview;
  }

  /** What the chart keeps in view. */
  get rates() {
    return this.#lines.map(({ rate }) => rate);
  }

  /**
   * @param lines `{ id, kind, rate, label, change }`; `change` is null for a line that cannot be moved, else
   * `{ name, tick, pip, text(rate), effect(rate), send(rate) }`, where `send` resolves once the outcome has been said
   * @param near the rate whose neighbours are shown if there are too many
   * @returns how many are shown
   */
  show(lines, near, isConnected) {
    const { clientHeight, clientWidth } = this.#place;
    const maxLines = columnsIn(clientWidth) * Math.max(1, Math.floor(clientHeight / labelHeight));
    const distance = ({ rate }) => Math.abs(rate - near);
    this.#lines = lines.toSorted((a, b) => distance(a) - distance(b)).slice(0, maxLines);
    this.#isConnected = isConnected;
    const ids = new Set(this.#lines.map(({ id }) => id));
    for (const [id, { element }] of this.#drawn) {
      if (ids.has(id)) continue;
      element.remove();
      this.#drawn.delete(id);
      if (this.#moved?.id === id) this.#stop();
    }
    for (const line of this.#lines) this.#fill(line);
    if (this.#chart !== null) this.place(this.#chart);
    return this.#lines.length;
  }

  /** Puts the lines where their rates are; called with every change of the chart's view. */
  place(chart) {
    this.#chart = chart;
    this.#place.style.right = `${chart.axisWidth}px`;
    const { clientHeight: height, clientWidth: width } = this.#place;
    const columns = Array.from({ length: columnsIn(width) }, () => []);
    const lines = this.#lines.toSorted((a, b) => this.#rateOf(b) - this.#rateOf(a));
    for (const line of lines) {
      const { element, label } = this.#drawn.get(line.id);
      const top = chart.topOf(this.#rateOf(line));
      element.hidden = top === null;
      if (top === null) continue;
      element.classList.toggle("outside", top < 0 || top > height);
      element.style.top = `${top}px`;
      const wanted = Math.max(0, top - labelHeight / 2);
      const free = (column) => (column.at(-1)?.place ?? -labelHeight) + labelHeight;
      const column =
        columns.find((labels) => free(labels) <= wanted) ??
        columns.reduce((best, labels) => (free(labels) < free(best) ? labels : best));
      column.push({ label, top, place: Math.max(wanted, free(column)) });
    }
    for (const [index, labels] of columns.entries()) {
      let end = height;
      for (const { label, top, place } of labels.toReversed()) {
        // A label stays within reach, even if its line does not.
        end = Math.min(place, end - labelHeight);
        label.style.top = `${end - top}px`;
        label.style.left = `${index * columnWidth + 4}px`;
      }
    }
  }

  #rateOf({ id, rate }) {
    return this.#moved?.id === id ? this.#moved.rate : rate;
  }

  #fill(line) {
    const drawn = this.#drawn.get(line.id) ?? this.#add(line);
    drawn.line = line;
    const { label } = drawn;
    const rate = this.#rateOf(line);
    const text = line.change?.text(rate) ?? line.label;
    if (label.textContent !== text) label.textContent = text;
    if (line.change === null) return;
    label.ariaDisabled = String(!this.#isConnected);
    label.ariaLabel = line.change.name;
    label.ariaValueNow = String(rate);
    label.ariaValueMax = String(2 * rate);
    label.ariaValueText = `${text}: ${line.change.effect(rate)}`;
  }

  #add({ id, kind, change }) {
    const element = document.createElement("div");
    element.className = `line ${kind}`;
    const label = document.createElement("span");
    element.append(label);
    this.#place.append(element);
    const drawn = { element, label, line: null };
    this.#drawn.set(id, drawn);
    if (change !== null) this.#makeMovable(drawn);
    return drawn;
  }

  #makeMovable(drawn) {
    const { label } = drawn;
    label.role = "slider";
    label.ariaOrientation = "vertical";
    label.ariaValueMin = "0";
    label.tabIndex = 0;
    label.setAttribute("aria-describedby", "line-help");
    let start = null;
    label.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !this.#mayMove(drawn.line)) return;
      event.preventDefault();
      label.focus({ preventScroll: true });
      label.setPointerCapture(event.pointerId);
      start = { y: event.clientY, top: this.#chart.topOf(drawn.line.rate) };
    });
    label.addEventListener("pointermove", ({ clientY }) => {
      if (start !== null) this.#move(drawn, this.#chart.rateAt(start.top + clientY - start.y));
    });
    label.addEventListener("pointerup", () => {
      if (start === null) return;
      start = null;
      this.#apply(drawn);
    });
    const cancel = () => {
      start = null;
      this.#cancel(drawn);
    };
    label.addEventListener("pointercancel", cancel);
    label.addEventListener("blur", cancel);
    label.addEventListener("keydown", (event) => {
      const steps = keys[event.key];
      if (event.key === "Escape") cancel();
      else if (event.key === "Enter") this.#apply(drawn);
      else if (steps !== undefined && this.#mayMove(drawn.line))
        this.#move(drawn, this.#rateOf(drawn.line) + steps * drawn.line.change.pip);
      else return;
      event.preventDefault();
    });
  }

  #mayMove({ id }) {
    return (
      this.#isConnected &&
      (this.#moved === null || (this.#moved.id === id && !this.#moved.isSending))
    );
  }

  #move({ element, line }, wanted) {
    if (wanted === null || this.#moved?.isSending) return;
    const { tick, effect, text } = line.change;
    const rate = Math.max(1, Math.round(wanted / tick)) * tick;
    this.#moved = { id: line.id, rate, isSending: false };
    element.classList.add("moved");
    this.#preview.textContent = `${text(rate)}: ${effect(rate)}`;
    this.#fill(line);
    this.place(this.#chart);
  }

  async #apply({ line }) {
    const moved = this.#moved;
    if (moved?.id !== line.id || moved.isSending) return;
    if (Math.abs(moved.rate - line.rate) < line.change.tick / 2) return this.#stop();
    moved.isSending = true;
    try {
      await line.change.send(moved.rate);
    } finally {
      this.#stop();
    }
  }

  #cancel({ line }) {
    if (this.#moved?.id === line.id && !this.#moved.isSending) this.#stop();
  }

  #stop() {
    const drawn = this.#drawn.get(this.#moved?.id);
    this.#moved = null;
    this.#preview.textContent = "";
    if (drawn === undefined) return;
    drawn.element.classList.remove("moved");
    this.#fill(drawn.line);
    this.place(this.#chart);
  }
}
