/** A mirror of the server's table, kept current by pushed changes. */
export class Mirror {
  rows = new Map();
  #key;
  #early = null;
  #changed;

  constructor(key, changed) {
    this.#key = key;
    this.#changed = changed;
  }

  /** Changes that arrive while a snapshot is in flight are applied again after it. */
  awaitSnapshot() {
    this.#early = [];
  }

  replace(rows) {
    this.rows = new Map(
      rows.filter(({ isTotal }) => !isTotal).map((row) => [String(row[this.#key]), row]),
    );
    const early = this.#early ?? [];
    this.#early = null;
    for (const change of early) this.change(change);
    this.#changed();
  }

  change(change) {
    this.#early?.push(change);
    const { action = "U", ...fields } = change;
    const key = String(fields[this.#key]);
    if (action === "D") this.rows.delete(key);
    else if (action === "I" || this.rows.has(key)) {
      this.rows.set(key, { ...this.rows.get(key), ...fields });
    }
    this.#changed();
  }
}
