import type { ParquetWriter } from "hyparquet-writer";
import { type Columns, cellOf, sizeOf } from "./columns.ts";

/** A group of rows stays in memory until it is written: this many bytes, or at least one row. */
const groupBytes = 8 * 1024 * 1024;
const groupRows = 10_000;

/** Rows of a Parquet file on their way into groups. */
export class ParquetRows {
  readonly #writer: ParquetWriter;
  readonly #columns: Columns;
  readonly #pageSize: number | undefined;
  #cells: Record<string, unknown[]> = {};
  #bytes = 0;
  #rows = 0;
  count = 0;

  /** @param pageSize of a column, in bytes before compression @default 1 MiB */
  constructor(writer: ParquetWriter, columns: Columns, pageSize?: number) {
    this.#writer = writer;
    this.#columns = columns;
    this.#pageSize = pageSize;
  }

  async add(row: object): Promise<void> {
    const members = row as Readonly<Record<string, unknown>>;
    for (const [name, kind] of Object.entries(this.#columns)) {
      const cell = cellOf(kind, members[name]);
      this.#cells[name] ??= [];
      this.#cells[name].push(cell);
      this.#bytes += sizeOf(cell);
    }
    this.#rows += 1;
    this.count += 1;
    if (this.#bytes >= groupBytes || this.#rows >= groupRows) await this.#flush();
  }

  async finish(): Promise<void> {
    await this.#flush();
    await this.#writer.finish();
  }

  async #flush(): Promise<void> {
    if (this.#rows === 0) return;
    const columnData = Object.entries(this.#cells).map(([name, data]) => ({ name, data }));
    const pageSize = this.#pageSize === undefined ? {} : { pageSize: this.#pageSize };
    await this.#writer.write({ columnData, rowGroupSize: this.#rows, ...pageSize });
    this.#cells = {};
    [this.#bytes, this.#rows] = [0, 0];
  }
}
