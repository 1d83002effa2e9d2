import { type ObjectFacts, readCount, readString, skipError } from "../facts/object-facts.ts";
import type { JsonScanner } from "../json/json-scanner.ts";
import { messageTokens, usageCounts } from "./message-usage.ts";

/** Reads a message. */
export function readMessageFacts(scanner: JsonScanner, facts: ObjectFacts): void {
  let hasError = false;
  let hasContent = false;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("usage") && scanner.kind === "object") readUsage(scanner, facts);
    else if (scanner.keyEquals("model")) facts.model = readString(scanner);
    else if (scanner.keyEquals("stop_reason")) facts.finishReason = readString(scanner);
    else if (scanner.keyEquals("error")) hasError = skipError(scanner);
    else {
      hasContent ||= scanner.keyEquals("content");
      scanner.skipValue();
    }
  }
  if (hasError && !hasContent) facts.noAnswer = "the answer is an error";
}

function readUsage(scanner: JsonScanner, facts: ObjectFacts): void {
  const usage: Record<string, number | null> = {};
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    const name = usageCounts.find((known) => scanner.keyEquals(known));
    if (name === undefined) scanner.skipValue();
    else usage[name] = readCount(scanner);
  }
  Object.assign(facts.tokens, messageTokens(usage));
}
