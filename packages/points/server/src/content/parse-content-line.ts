import type { ContentProgramEntry } from "@proj/points-client/wire";
import { EventError } from "../events/event-error.ts";
import { folded, isAddress } from "../program/address.ts";
import type { Program } from "../program/program.ts";

export interface ContentLine extends ContentProgramEntry {
  readonly address: string;
}

/** Members that are numbers: CSV does not tell numbers from texts. */
export const contentNumbers: ReadonlySet<string> = new Set([
  "startTimestamp",
  "endTimestamp",
  "points",
]);

/** @throws EventError */
export function parseContentLine(value: unknown, program: Program): ContentLine {
  if (typeof value !== "object" || value === null)
    throw new EventError("an entry must be an object");
  const members = value as Readonly<Record<string, unknown>>;
  const address = members.address;
  if (typeof address !== "string" || !isAddress(program, address)) {
    throw new EventError(`address must be an address, found ${JSON.stringify(address)}`);
  }
  const startTimestamp = readNumber(members, "startTimestamp");
  const endTimestamp = readNumber(members, "endTimestamp");
  if (endTimestamp < startTimestamp) {
    throw new EventError(`endTimestamp ${endTimestamp} is before startTimestamp ${startTimestamp}`);
  }
  return {
    address: folded(program, address),
    startTimestamp,
    endTimestamp,
    points: readNumber(members, "points"),
  };
}

function readNumber(members: Readonly<Record<string, unknown>>, name: string): number {
  const number = members[name];
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number;
  throw new EventError(
    `${name} must be a whole number from 0 to 2^53 - 1, found ${JSON.stringify(number)}`,
  );
}
