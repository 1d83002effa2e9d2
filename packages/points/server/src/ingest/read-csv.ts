import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { type CsvError, type InfoRecord, type Parser, parse } from "csv-parse";
import { maxLineLength, type SourceLine } from "./source-line.ts";

const batchLines = 1000;

type ErrorLine = Extract<SourceLine, { readonly error: string }>;

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: InfoRecord;
}

/**
 * CSV (RFC 4180): a header with member names, then one record per value. An empty cell is an absent member,
 * except that an empty domain removes the domain. Cells of the members in `numbers` that look like whole numbers
 * become numbers.
 */
export async function* readCsv(
  file: string,
  numbers: ReadonlySet<string>,
  signal: AbortSignal,
): AsyncGenerator<SourceLine[]> {
  let found: SourceLine[] = [];
  // The parser reports errors at once, but records only when they are read: errors wait for the records before them.
  const errors: ErrorLine[] = [];
  const parser: Parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: maxLineLength,
    skip_records_with_error: true,
    on_skip: (error) => {
      errors.push(describe(error));
      return undefined;
    },
  });
  pipeline(createReadStream(file, { signal }), parser, () => {
    // The error is thrown where the parser is read.
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
  return { line: lines, error: `not valid CSV: ${error?.message}` };
}
