import { type QueryValue, query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import { ImportError, ImportTally } from "../ingest/import-report.ts";
import { parseLines } from "../ingest/parse-lines.ts";
import { type FileFormat, readLines } from "../ingest/read-lines.ts";
import type { Program } from "../program/program.ts";
import type { PointsDatabase, PointsQuery, PointsSource } from "../storage/source.ts";
import { type ContentLine, contentNumbers, parseContentLine } from "./parse-content-line.ts";

const rowsPerInsert = 100;

const row = {
  address: parameter<string>("address"),
  start_timestamp: parameter<number>("start_timestamp"),
  end_timestamp: parameter<number>("end_timestamp"),
  points: parameter<number>("points"),
};
const clear = query(({ db }: PointsSource) => db.deleteFrom("content_entries"));
const insert = (rows: number): PointsQuery<unknown> =>
  query(({ db }: PointsSource) =>
    db.insertInto("content_entries").values(new Array(rows).fill(row)),
  );
const insertMany = insert(rowsPerInsert);

export interface ContentReport {
  /** How many entries there are now. */
  readonly entries: number;
}

/**
 * Replaces all entries with those of a file; changes nothing if a line is wrong.
 * @throws ImportError StoreUnavailableError, errors of the file system, the signal's reason
 */
export async function importContent(
  database: PointsDatabase,
  program: Program,
  file: string,
  format: FileFormat | undefined,
  signal: AbortSignal,
): Promise<ContentReport> {
  const tally = new ImportTally();
  return database.transaction(async (runner) => {
    await runner.run(clear);
    let entries = 0;
    for await (const lines of readLines(file, { format, numbers: contentNumbers, signal })) {
      signal.throwIfAborted();
      const parsed = parseLines(lines, (value) => parseContentLine(value, program), tally);
      entries += parsed.length;
      for (let first = 0; first < parsed.length; first += rowsPerInsert) {
        const rows = parsed.slice(first, first + rowsPerInsert);
        const query = rows.length === rowsPerInsert ? insertMany : insert(rows.length);
        await runner.run(query, rows.flatMap(values));
      }
    }
    if (tally.refused > 0) throw new ImportError(tally.report);
    return { entries };
  });
}

function values({ address, startTimestamp, endTimestamp, points }: ContentLine): QueryValue[] {
  return [address, startTimestamp, endTimestamp, points];
}
