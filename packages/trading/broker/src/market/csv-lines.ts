import { parse } from "csv-parse/sync";
import { type CsvForm, csvForm } from "./csv-form.ts";
import { openPriceFile, type PriceFile } from "./price-file.ts";
import { PriceFileError } from "./price-file-error.ts";

const blockBytes = 64 * 1024;
const newline = 0x0a;

/** The position of a record: the first byte of its block, and its index in the block. */
export interface CsvPlace {
  readonly offset: number;
  readonly record: number;
}

/** A record of the file. Its column names are in lower case, letters only. */
export interface CsvLine {
  readonly place: CsvPlace;
  readonly values: Readonly<Record<string, string>>;
}

/** Reads a file of any size in blocks, starting at any record. */
export class CsvLines {
  readonly #form: CsvForm;
  readonly #path: string;
  readonly #file: PriceFile;
  #offset: number;
  /** Records of the next block that were already read. */
  #skipped = 0;

  /** @throws PriceFileError the file cannot be read, or has no column names and is not a known format */
  constructor(path: string) {
    this.#path = path;
    this.#file = openPriceFile(path);
    try {
      const lines = this.#readWholeLines(0);
      const end = lines.indexOf(newline) + 1;
      const firstLine = lines.subarray(0, end === 0 ? lines.length : end);
      this.#form = csvForm(firstLine.toString("utf8"));
      this.#offset = this.#form.hasNames ? firstLine.length : 0;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** UTC offset of times without one. */
  get zone(): string {
    return this.#form.zone;
  }

  /** @throws PriceFileError the file has become shorter */
  seek({ offset, record }: CsvPlace): void {
    if (offset > this.#file.size) {
      throw new PriceFileError(`${this.#path} is shorter than when it was last read`);
    }
    this.#offset = offset;
    this.#skipped = record;
  }

  /** The records of the next block; empty at the end of the file. @throws PriceFileError */
  readBlock(): readonly CsvLine[] {
    for (;;) {
      const offset = this.#offset;
      const block = this.#readWholeLines(offset);
      if (block.length === 0) return [];
      this.#offset = offset + block.length;
      const records = this.#parse(offset, () =>
        parse<Readonly<Record<string, string>>>(block, {
          columns: [...this.#form.columns],
          delimiter: this.#form.delimiter,
          bom: true,
          relax_column_count_more: true,
          trim: true,
          skip_empty_lines: true,
        }),
      );
      const lines = records.map((values, record) => ({ place: { offset, record }, values }));
      const skipped = this.#skipped;
      this.#skipped = 0;
      if (lines.length > skipped) return lines.slice(skipped);
    }
  }

  close(): void {
    this.#file.close();
  }

  #parse<Records>(offset: number, read: () => Records): Records {
    try {
      return read();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const where = `${this.#path}, counted from byte ${offset}`;
      throw new PriceFileError(`${where}: ${reason}`, { cause: error });
    }
  }

  /** The whole lines that fit in a block, at least one; the last line need not end in a line break. */
  #readWholeLines(from: number): Buffer {
    for (let size = blockBytes; ; size *= 2) {
      const bytes = this.#file.read(from, size);
      const end = bytes.lastIndexOf(newline) + 1;
      if (bytes.length < size) return bytes;
      if (end > 0) return bytes.subarray(0, end);
    }
  }
}
