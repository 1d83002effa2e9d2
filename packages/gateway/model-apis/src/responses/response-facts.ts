import {
  type ObjectFacts,
  readMember,
  readString,
  skipContent,
  skipError,
  whyNoAnswer,
} from "../facts/object-facts.ts";
import { readUsage, responseUsage, takeUsage } from "../facts/read-usage.ts";
import { tiersOf, withBilled } from "../facts/token-counts.ts";
import type { JsonObject } from "../json/json-object.ts";
import type { JsonScanner } from "../json/json-scanner.ts";
import { countItems, countReported, type ToolCounts } from "./response-tools.ts";

/** Reads a response object. */
export function readResponseFacts(scanner: JsonScanner, facts: ObjectFacts): void {
  readResponse(scanner, facts, false);
}

/**
 * Reads the response of a terminal event.
 * @param itemsCame whether items came before it, which some servers leave out here
 * @returns whether it has output of its own
 */
export function readResponse(
  scanner: JsonScanner,
  facts: ObjectFacts,
  itemsCame: boolean,
): boolean {
  let status: string | null = null;
  let reason: string | null = null;
  let hasError = false;
  let hasOutput = false;
  let tier: string | null = null;
  let toolUsage: JsonObject | null = null;
  const tools: ToolCounts = {};
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("usage")) readUsage(scanner, facts, responseUsage);
    else if (scanner.keyEquals("model")) facts.model = readString(scanner);
    else if (scanner.keyEquals("id")) facts.objectId = readString(scanner);
    else if (scanner.keyEquals("status")) status = readString(scanner);
    else if (scanner.keyEquals("error")) hasError = skipError(scanner);
    else if (scanner.keyEquals("service_tier")) tier = readString(scanner);
    else if (scanner.keyEquals("tool_usage")) toolUsage = takeUsage(scanner);
    else if (scanner.keyEquals("output"))
      hasOutput = scanner.kind === "array" ? countItems(scanner, tools) > 0 : skipContent(scanner);
    else if (scanner.keyEquals("incomplete_details") && scanner.kind === "object") {
      reason = readMember(scanner, "reason");
    } else scanner.skipValue();
  }
  countReported(toolUsage, tools);
  const beside = { tiers: tiersOf(tier), server_tools: tools };
  facts.tokens.billed = withBilled(facts.tokens.billed, beside);
  facts.finishReason = status === "incomplete" ? (reason ?? status) : status;
  facts.isPending = status === "queued" || status === "in_progress";
  facts.noAnswer = facts.isPending ? null : whyNoResponse(status, hasError, hasOutput || itemsCame);
  return hasOutput;
}

/** A status alone does not say why there is nothing to say: an answer is an item at least. */
export function whyNoResponse(
  status: string | null,
  error: boolean,
  content: boolean,
): string | null {
  if (status === "failed" || status === "cancelled") return `the response is ${status}`;
  if (status === "incomplete" && !content) return "the response is incomplete and has no output";
  return whyNoAnswer({ content, error, reasons: [], member: "output" });
}
