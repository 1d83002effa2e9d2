/** `refuse`: one that cannot be taken, and none is. `skip`: the others are. */
export type OnError = "skip" | "refuse";

/** Errors beyond these are only counted. */
const errorsTold = 100;

export interface ImportReport {
  /** How many were looked at. */
  readonly lines: number;
  /** New ones; of prices and domains those newer than what was known. */
  readonly stored: number;
  /** Those that were known already. */
  readonly repeated: number;
  readonly refused: number;
  /** The first 100. */
  readonly errors: readonly LineError[];
}

export interface LineError {
  /** Of the file, from 1; of a list of events its place, from 1. */
  readonly line: number;
  /** Of the event, where it could be read. */
  readonly id: string | null;
  readonly message: string;
}

/** Lines could not be taken, and so nothing was. */
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
  const what = `${refused} of ${lines} lines cannot be taken, and so none was`;
  return [`${what}:`, ...shown, ...more].join("\n");
}

/** Counts while an import runs. */
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

  /** Counts lines that were read. */
  read(lines: number): void {
    this.#lines += lines;
  }

  /** Counts lines that were taken, and how many of them were new. */
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
