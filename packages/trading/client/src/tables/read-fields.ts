import { Temporal } from "temporal-polyfill";
import type { JsonObject } from "../reading/json-objects.ts";
import { parseWireTime, type TableModel } from "../wire/index.ts";
import { dateFields, timeFields } from "./table-row.ts";

/**
 * Reads the members of a record that differ from a row's.
 * @returns null: all are equal
 * @throws TypeError a malformed time
 */
export type FieldReader = (record: JsonObject, row: JsonObject) => JsonObject | null;

type ValueReader = (written: unknown) => unknown;

/**
 * Most times are in the same minute as the one before. Parsing each in full would cost more than the rest
 * of its record.
 */
function createTimeReader(): ValueReader {
  let minute = "no minute";
  let minuteMs = 0;
  return (written) => {
    if (written === "" || written === null) return null;
    const text = String(written);
    const inMinuteMs = millisecondsOf(text);
    if (Number.isNaN(inMinuteMs))
      return Temporal.Instant.fromEpochMilliseconds(parseWireTime(text));
    if (!text.startsWith(minute)) {
      minuteMs = parseWireTime(text) - inMinuteMs;
      minute = text.slice(0, 12);
    }
    return Temporal.Instant.fromEpochMilliseconds(minuteMs + inMinuteMs);
  };
}

/** The milliseconds in the last five of 17 digits, seconds and milliseconds; NaN: malformed. */
function millisecondsOf(text: string): number {
  if (text.length !== 17) return Number.NaN;
  let value = 0;
  for (let index = 12; index < 17; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value < 60_000 ? value : Number.NaN;
}

/** MMddyyyy */
const readDate: ValueReader = (written) =>
  written === "" || written === null
    ? null
    : Temporal.Instant.fromEpochMilliseconds(parseWireTime(`${written}000000`))
        .toZonedDateTimeISO("UTC")
        .toPlainDate();

export function createFieldReader(model: TableModel): FieldReader {
  const readers = new Map<string, ValueReader>([
    ...timeFields[model].map((name) => [name, remembering(createTimeReader())] as const),
    ...dateFields[model].map((name) => [name, remembering(readDate)] as const),
  ]);
  return (record, row) => {
    let different: Record<string, unknown> | null = null;
    for (const name in record) {
      // These belong to the record, not to the row.
      if (name === "t" || name === "action") continue;
      const written = record[name];
      const read = readers.get(name);
      const value = read === undefined ? written : read(written);
      if (isSame(row[name], value)) continue;
      different ??= {};
      different[name] = value;
    }
    return different;
  };
}

/** Remembers the last value: consecutive records often have the same text. */
function remembering(read: ValueReader): ValueReader {
  let last: { readonly written: unknown; readonly value: unknown } = { written: "", value: null };
  return (written) => {
    if (written !== last.written) last = { written, value: read(written) };
    return last.value;
  };
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== "object" || typeof b !== "object") return a === b;
  if (a instanceof Temporal.Instant && b instanceof Temporal.Instant) {
    return a.epochMilliseconds === b.epochMilliseconds;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, index) => value === b[index]);
  }
  return a instanceof Temporal.PlainDate && b instanceof Temporal.PlainDate && a.equals(b);
}
