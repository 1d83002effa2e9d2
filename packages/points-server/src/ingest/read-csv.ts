import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { type CsvError, type InfoRecord, type Parser, parse } from "csv-parse";
import { longestLine, type SourceLine } from "./source-line.ts";

const batchLines = 1000;

type ErrorLine = Extract<SourceLine, { readonly error: string }>;

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: InfoRecord;
}

/**
 * CSV (RFC 4180): a header with the names of members, then a record for each value. An empty cell is a
 * member that is absent, but for a domain, which is then taken away. The cells of `numbers` are read as numbers where they look like whole ones.
 */
export async function* readCsv(
  file: string,
  numbers: ReadonlySet<string>,
  signal: AbortSignal,
): AsyncGenerator<SourceLine[]> {
  let found: SourceLine[] = [];
  // The parser tells of errors at once, and of records when they are read: errors wait for those before them.
  const errors: ErrorLine[] = [];
  const parser: Parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: longestLine,
    skip_records_with_error: true,
    on_skip: (error) => {
      errors.push(describe(error));
      return undefined;
    },
  });
  pipeline(createReadStream(file, { signal }), parser, () => {
    // The parser's reader sees its error.
  });
  let header: readonly string[] | null = null;
  for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
    while (errors[0] !== undefined && errors[0].line < info.lines)
      found.push(...errors.splice(0, 1));
    if (header === null) header = record;
    else found.push({ line: info.lines, value: readRecord(record, header, numbers) });
    if (found.length < batchLines) continue;
    yield found;
    found = [];
  }
  yield [...found, ...errors];
}

function readRecord(
  record: readonly string[],
  header: readonly string[],
  numbers: ReadonlySet<string>,
): Record<string, unknown> {
  const value: Record<string, unknown> = Object.create(null);
  for (const [index, name] of header.entries()) {
    const cell = record[index] ?? "";
    if (cell === "" && name !== "domain") continue;
    value[name] = numbers.has(name) && /^-?\d+$/.test(cell) ? Number(cell) : cell;
  }
  return value;
}

function describe(error: CsvError | undefined): ErrorLine {
  const lines = error === undefined ? 0 : Number(error.lines);
  return { line: lines, error: `it is not CSV: ${error?.message}` };
}
