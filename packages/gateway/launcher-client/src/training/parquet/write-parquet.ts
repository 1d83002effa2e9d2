import { fileWriter, ParquetWriter } from "hyparquet-writer";
import type { JsonObject } from "../../answer/answer.ts";
import { cellOf, kindOf, schemaOf, sizeOf } from "./columns.ts";

/** A group of rows stays in memory until it is written: this many bytes, or at least one row. */
const groupBytes = 8 * 1024 * 1024;
const groupRows = 10_000;

/**
 * Writes lines as a Parquet file: lists of tokens as lists, other nested values as JSON text. Memory does not grow
 * with the number of lines.
 * @param names the columns' names; a member that is not among them is an error
 * @returns the number of lines
 * @throws TypeError, and the errors of the file system
 */
export async function writeParquet(
  file: string,
  names: readonly string[],
  lines: AsyncIterable<JsonObject>,
): Promise<number> {
  const writer = new ParquetWriter({ writer: fileWriter(file), schema: schemaOf(names) });
  const kinds = names.map(kindOf);
  const known = new Set(names);
  let columns: unknown[][] = names.map(() => []);
  let bytes = 0;
  let rows = 0;
  let written = 0;
  const flush = async (): Promise<void> => {
    if (rows === 0) return;
    const columnData = names.map((name, at) => ({ name, data: columns[at] ?? [] }));
    await writer.write({ columnData, rowGroupSize: rows });
    columns = names.map(() => []);
    [bytes, rows] = [0, 0];
  };
  for await (const line of lines) {
    const stray = Object.keys(line).find((name) => !known.has(name));
    if (stray !== undefined) throw new TypeError(`a line has a member '${stray}' without a column`);
    for (const [at, name] of names.entries()) {
      const cell = cellOf(kinds[at] ?? "json", line[name]);
      columns[at]?.push(cell);
      bytes += sizeOf(cell);
    }
    rows += 1;
    written += 1;
    if (bytes >= groupBytes || rows >= groupRows) await flush();
  }
  await flush();
  await writer.finish();
  return written;
}
