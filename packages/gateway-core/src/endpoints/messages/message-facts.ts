import { type ObjectFacts, readCount, readString, skipError } from "../../bodies/object-facts.ts";
import type { JsonScanner } from "../../json/json-scanner.ts";
import { promptCounts } from "./message-usage.ts";

/** Reads a message. */
export function readMessageFacts(scanner: JsonScanner, facts: ObjectFacts): void {
  let hasError = false;
  let hasContent = false;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("usage") && scanner.kind === "object") readUsage(scanner, facts);
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
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (promptCounts.some((name) => scanner.keyEquals(name))) {
      const count = readCount(scanner);
      if (count !== null) facts.promptTokens = (facts.promptTokens ?? 0) + count;
    } else if (scanner.keyEquals("output_tokens")) facts.completionTokens = readCount(scanner);
    else scanner.skipValue();
  }
}
