import type { JsonObject } from "@proj/model-apis/json";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { columnsOf, schemaOf } from "./columns.ts";
import { ParquetRows } from "./parquet-rows.ts";

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
  const columns = columnsOf(names);
  const writer = new ParquetWriter({ writer: fileWriter(file), schema: schemaOf(columns) });
  const rows = new ParquetRows(writer, columns);
  for await (const line of lines) {
    const stray = Object.keys(line).find((name) => !Object.hasOwn(columns, name));
    if (stray !== undefined) throw new TypeError(`a line has a member '${stray}' without a column`);
    await rows.add(line);
  }
  await rows.finish();
  return rows.count;
}
