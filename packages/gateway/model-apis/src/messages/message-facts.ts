import { skipContent, whyNoAnswer } from "../facts/answer-presence.ts";
import { type ObjectFacts, readCount, readString, skipError } from "../facts/object-facts.ts";
import type { JsonScanner } from "../json/json-scanner.ts";
import { messageTokens, usageCounts } from "./message-usage.ts";

/** Reads a message. */
export function readMessageFacts(scanner: JsonScanner, facts: ObjectFacts): void {
  let error = false;
  let content = false;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("usage") && scanner.kind === "object") readUsage(scanner, facts);
    else if (scanner.keyEquals("model")) facts.model = readString(scanner);
    else if (scanner.keyEquals("stop_reason")) facts.finishReason = readString(scanner);
    else if (scanner.keyEquals("error")) error = skipError(scanner);
    else if (scanner.keyEquals("content")) content = skipContent(scanner);
    else scanner.skipValue();
  }
  const reasons = [facts.finishReason];
  facts.noAnswer = whyNoAnswer({ content, error, reasons, member: "content" });
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
