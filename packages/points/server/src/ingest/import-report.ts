/** `refuse`: if one event is bad, none is stored. `skip`: all others are. */
export type OnError = "skip" | "refuse";

/** Further errors are only counted. */
const errorsTold = 100;

export interface ImportReport {
  /** How many lines or events were read. */
  readonly lines: number;
  /** New events. */
  readonly stored: number;
  /** Events that were already known. */
  readonly repeated: number;
  readonly refused: number;
  /** The first 100 errors. */
  readonly errors: readonly LineError[];
}

export interface LineError {
  /** The line in the file, or the place in the list, from 1. */
  readonly line: number;
  /** The event's id, if it could be read. */
  readonly id: string | null;
  readonly message: string;
}

/** Some lines are bad, so nothing was stored. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    super(describe(report));
    this.report = report;
  }
}

function describe({ refused, lines, errors }: ImportReport): string {
  const shown = errors.slice(0, 5).map(({ line, message }) => `line ${line}: ${message}`);
  const more = refused > shown.length ? [`… and ${refused - shown.length} more`] : [];
  const what = `${refused} of ${lines} lines are bad, so none was stored`;
  return [`${what}:`, ...shown, ...more].join("\n");
}

/** Keeps the counts while an import runs. */
export class ImportTally {
  #lines = 0;
  #stored = 0;
  #repeated = 0;
  #refused = 0;
  readonly #errors: LineError[] = [];

  get report(): ImportReport {
    return {
      lines: this.#lines,
      stored: this.#stored,
      repeated: this.#repeated,
      refused: this.#refused,
      errors: [...this.#errors],
    };
  }

  get refused(): number {
    return this.#refused;
  }

  /** Adds lines that were read. */
  read(lines: number): void {
    this.#lines += lines;
  }

  /** Adds lines that were accepted, and how many of them were new. */
  taken(lines: number, stored: number): void {
    this.#stored += stored;
    this.#repeated += lines - stored;
  }

  refuse(error: LineError): void {
    this.#lines += 1;
    this.#refused += 1;
    if (this.#errors.length < errorsTold) this.#errors.push(error);
  }
}
