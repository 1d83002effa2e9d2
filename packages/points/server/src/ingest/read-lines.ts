import { extname } from "node:path";
import { readCsv } from "./read-csv.ts";
import { readJsonLines } from "./read-json-lines.ts";
import type { SourceLines } from "./source-line.ts";

export type FileFormat = "csv" | "jsonl";

export interface LinesOptions {
  /** Undefined: CSV if the file's name ends in .csv, else JSON Lines. */
  readonly format: FileFormat | undefined;
  /** Members that are numbers: CSV does not tell numbers from texts. */
  readonly numbers: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

export function readLines(file: string, { format, numbers, signal }: LinesOptions): SourceLines {
  const isCsv = format === undefined ? extname(file).toLowerCase() === ".csv" : format === "csv";
  return isCsv ? readCsv(file, numbers, signal) : readJsonLines(file, signal);
}
