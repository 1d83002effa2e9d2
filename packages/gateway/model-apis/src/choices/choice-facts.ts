import {
  type ObjectFacts,
  readString,
  skipContent,
  skipError,
  whyNoAnswer,
} from "../facts/object-facts.ts";
import { choiceUsage, readUsage } from "../facts/read-usage.ts";
import { tiersOf, withBilled } from "../facts/token-counts.ts";
import type { JsonScanner } from "../json/json-scanner.ts";

interface Choice {
  readonly reason: string | null;
  /** It says something. */
  readonly content: boolean;
}

/** Reads an answer with `choices` and `usage`. */
export function readChoiceFacts(scanner: JsonScanner, facts: ObjectFacts): void {
  let choices: readonly Choice[] = [];
  let error = false;
  let tier: string | null = null;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("usage")) readUsage(scanner, facts, choiceUsage);
    else if (scanner.keyEquals("model")) facts.model = readString(scanner);
    else if (scanner.keyEquals("error")) error = skipError(scanner);
    else if (scanner.keyEquals("service_tier")) tier = readString(scanner);
    else if (scanner.keyEquals("choices") && scanner.kind === "array")
      choices = readChoices(scanner);
    else scanner.skipValue();
  }
  const tiers = tiersOf(tier);
  facts.tokens.billed = withBilled(facts.tokens.billed, { tiers, server_tools: {} });
  const reasons = choices.map(({ reason }) => reason);
  facts.finishReason = reasons[0] ?? null;
  const content = choices.some((choice) => choice.content);
  facts.noAnswer = whyNoAnswer({ content, error, reasons, member: "choices" });
}

function readChoices(scanner: JsonScanner): Choice[] {
  const choices: Choice[] = [];
  for (let more = scanner.enterArray(); more; more = scanner.nextElement()) {
    if (scanner.kind === "object") choices.push(readChoice(scanner));
    else {
      scanner.skipValue();
      choices.push({ reason: null, content: false });
    }
  }
  return choices;
}

function readChoice(scanner: JsonScanner): Choice {
  let reason: string | null = null;
  let content = false;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("finish_reason")) reason = readString(scanner) || null;
    else if (scanner.keyEquals("message") && scanner.kind === "object")
      content = readMessage(scanner) || content;
    else if (scanner.keyEquals("text")) content = skipContent(scanner) || content;
    else scanner.skipValue();
  }
  return { reason, content };
}

/** Whether the message says something: any member but its role may. */
function readMessage(scanner: JsonScanner): boolean {
  let content = false;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("role")) scanner.skipValue();
    else content = skipContent(scanner) || content;
  }
  return content;
}
