import { EventError } from "../events/event-error.ts";
import type { ImportTally } from "./import-report.ts";
import type { SourceLine } from "./source-line.ts";

const maxIdLength = 200;

/** Parses the values of the lines; bad ones are reported to the tally. */
export function parseLines<Value>(
  lines: readonly SourceLine[],
  parse: (value: unknown) => Value,
  tally: ImportTally,
): Value[] {
  const values: Value[] = [];
  for (const source of lines) {
    const { line } = source;
    if ("error" in source) {
      tally.refuse({ line, id: null, message: source.error });
      continue;
    }
    try {
      values.push(parse(source.value));
    } catch (error) {
      if (!(error instanceof EventError)) throw error;
      tally.refuse({ line, id: readId(source.value), message: error.message });
    }
  }
  tally.read(values.length);
  return values;
}

function readId(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !("id" in value)) return null;
  return typeof value.id === "string" ? value.id.slice(0, maxIdLength) : null;
}
