import type { AnswerFacts } from "@proj/model-apis";
import { noTokens } from "@proj/model-apis";
import { redact } from "@proj/model-apis/json";
import type { Call } from "../call/call.ts";
import { routeSecrets } from "../upstream/route-secrets.ts";
import type { ReadAnswerOptions } from "./read-answer.ts";

/** The facts, with only what rows and the request log may keep of the answer's text. */
export function keptFacts(
  read: AnswerFacts,
  { endpoint: { abridge }, route, replayed }: Pick<Call, "endpoint" | "route" | "replayed">,
  { keepsText, capturesEmbeddings, redacts }: ReadAnswerOptions,
): AnswerFacts {
  // The model was paid for these tokens once, when the step was recorded.
  const facts = replayed === null ? read : { ...read, ...noTokens };
  let { text } = facts;
  if (text === null) return facts;
  if (abridge !== null && keepsText && !capturesEmbeddings) text = abridge(text);
  // Removes the route's own credentials wherever they occur, even if nothing else is redacted.
  text = routeSecrets(route.config).applyToBytes(text);
  if (redacts && facts.sensitive) text = redact(text);
  return text === facts.text ? facts : { ...facts, text, sensitive: false };
}
