import {
  type ObjectFacts,
  readString,
  skipContent,
  skipError,
  whyNoAnswer,
} from "../facts/object-facts.ts";
import { takeUsage } from "../facts/read-usage.ts";
import type { JsonObject } from "../json/json-object.ts";
import type { JsonScanner } from "../json/json-scanner.ts";
import { messageTokens } from "./message-usage.ts";

/** Reads a message. */
export function readMessageFacts(scanner: JsonScanner, facts: ObjectFacts): void {
  let error = false;
  let content = false;
  let usage: JsonObject | null = null;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("usage")) usage = takeUsage(scanner);
    else if (scanner.keyEquals("model")) facts.model = readString(scanner);
    else if (scanner.keyEquals("id")) facts.objectId = readString(scanner);
    else if (scanner.keyEquals("stop_reason")) facts.finishReason = readString(scanner);
    else if (scanner.keyEquals("error")) error = skipError(scanner);
    else if (scanner.keyEquals("content")) content = skipContent(scanner);
    else scanner.skipValue();
  }
  if (usage !== null) Object.assign(facts.tokens, messageTokens(usage));
  const reasons = [facts.finishReason];
  facts.noAnswer = whyNoAnswer({ content, error, reasons, member: "content" });
}
