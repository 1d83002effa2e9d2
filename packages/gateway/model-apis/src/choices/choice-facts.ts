import { type ObjectFacts, readMember, readString, skipError } from "../facts/object-facts.ts";
import { choiceUsage, readUsage } from "../facts/read-usage.ts";
import type { JsonScanner } from "../json/json-scanner.ts";

/** Reads an answer with `choices` and `usage`. */
export function readChoiceFacts(scanner: JsonScanner, facts: ObjectFacts): void {
  let hasChoices = false;
  let hasError = false;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("usage")) readUsage(scanner, facts, choiceUsage);
    else if (scanner.keyEquals("model")) facts.model = readString(scanner);
    else if (scanner.keyEquals("error")) hasError = skipError(scanner);
    else if (scanner.keyEquals("choices") && scanner.kind === "array") {
      hasChoices = true;
      readChoices(scanner, facts);
    } else scanner.skipValue();
  }
  if (hasError && !hasChoices) facts.noAnswer = "the answer is an error";
}

function readChoices(scanner: JsonScanner, facts: ObjectFacts): void {
  let isFirst = true;
  for (let more = scanner.enterArray(); more; more = scanner.nextElement()) {
    if (!isFirst || scanner.kind !== "object") scanner.skipValue();
    else facts.finishReason = readMember(scanner, "finish_reason");
    isFirst = false;
  }
}
