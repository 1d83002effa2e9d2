import type { AnswerFacts } from "../telemetry/answer-facts.ts";
import { redact } from "../telemetry/redact.ts";

export function redactFacts(facts: AnswerFacts, redacts: boolean): AnswerFacts {
  if (!redacts || !facts.sensitive || facts.text === null) return facts;
  return { ...facts, text: redact(facts.text), sensitive: false };
}
