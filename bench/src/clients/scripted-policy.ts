import type { EngineQuestion, EngineSaying } from "@proj/test-kit";
import { programPolicy } from "./program-policy.ts";

/** How many tools a policy calls, one after the other, before it answers. */
export const toolRounds = 2;

/** A policy for clients, whose tool adds two numbers, and for programs. */
export function scriptedPolicy(question: EngineQuestion): EngineSaying {
  const { text, tools } = question;
  const rounds = text.split("<tool_response>").length - 1;
  const call = (name: string, input: object): EngineSaying => ({
    reasoning: `Call number ${rounds}, then.`,
    text: rounds === 0 ? "" : "Next. \n",
    calls: [{ name, input }],
  });
  if (tools.includes("Sum")) return call("Sum", { sum: 42 });
  if (tools.includes("add") && rounds < toolRounds) return call("add", { b: 23, a: 19 });
  return programPolicy(question);
}
