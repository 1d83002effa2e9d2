import {
  countElements,
  type ObjectFacts,
  readMember,
  readString,
  skipError,
} from "../facts/object-facts.ts";
import { readUsage, responseUsage } from "../facts/read-usage.ts";
import type { JsonScanner } from "../json/json-scanner.ts";

/** Reads a response object. */
export function readResponseFacts(scanner: JsonScanner, facts: ObjectFacts): void {
  let status: string | null = null;
  let reason: string | null = null;
  let hasError = false;
  let hasOutput = false;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("usage")) readUsage(scanner, facts, responseUsage);
    else if (scanner.keyEquals("model")) facts.model = readString(scanner);
    else if (scanner.keyEquals("id")) facts.objectId = readString(scanner);
    else if (scanner.keyEquals("status")) status = readString(scanner);
    else if (scanner.keyEquals("error")) hasError = skipError(scanner);
    else if (scanner.keyEquals("output") && scanner.kind === "array")
      hasOutput = countElements(scanner) > 0;
    else if (scanner.keyEquals("incomplete_details") && scanner.kind === "object") {
      reason = readMember(scanner, "reason");
    } else scanner.skipValue();
  }
  facts.finishReason = status === "incomplete" ? (reason ?? status) : status;
  facts.isPending = status === "queued" || status === "in_progress";
  facts.noAnswer = whyNoAnswer(status, hasError, hasOutput);
}

function whyNoAnswer(status: string | null, hasError: boolean, hasOutput: boolean): string | null {
  if (status === "failed" || status === "cancelled") return `the response is ${status}`;
  if (status === "incomplete" && !hasOutput) return "the response is incomplete and has no output";
  return status === null && hasError ? "the answer is an error" : null;
}
