import { JsonScanner } from "../json/json-scanner.ts";
import { decodeString } from "../json/json-string.ts";
import { JsonSyntaxError } from "../json/json-syntax-error.ts";

/**
 * The parts of a responses-stream event that decide what happens to it, read only from the top level of its
 * data.
 */
export interface EventOutline {
  type: string | null;
  sequenceNumber: number | null;
  /** Where the object `response` is in the data; both 0 if there is none. */
  responseStart: number;
  responseEnd: number;
}

const names = ["type", "sequence_number", "response"] as const;

/**
 * Reads an event without parsing it. Null if the data are not a JSON object.
 * @param isCut only the beginning of the data is there; it is read as far as it goes
 */
export function outlineEvent(data: Buffer, isCut: boolean): EventOutline | null {
  const outline: EventOutline = {
    type: null,
    sequenceNumber: null,
    responseStart: 0,
    responseEnd: 0,
  };
  const scanner = new JsonScanner(data);
  try {
    for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
      const { at, kind } = scanner;
      const name = names.find((known) => scanner.keyEquals(known));
      scanner.skipValue();
      if (name === "type" && kind === "string") {
        outline.type = decodeString(data, at + 1, scanner.at - 1);
      } else if (name === "sequence_number" && kind === "number") {
        const number = Number(data.toString("latin1", at, scanner.at));
        if (Number.isSafeInteger(number)) outline.sequenceNumber = number;
      } else if (name === "response" && kind === "object") {
        outline.responseStart = at;
        outline.responseEnd = scanner.at;
      }
    }
    scanner.finish();
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (!isCut) return null;
  }
  return outline;
}
