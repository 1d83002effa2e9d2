import type { EngineFinding } from "@proj/gateway-protocol";
import type { ChatRequest } from "@proj/model-apis";
import { type PromptIds, promptIds } from "../../prompts/index.ts";
import { whyUnreachable } from "../../upstream/live-upstream.ts";
import { asEngineGets } from "../read-asked.ts";
import { askTokens, type ProbedRoute, type Sampled } from "./ask-tokens.ts";
import { checkIds } from "./check-ids.ts";
import { checkLogprobs } from "./check-logprobs.ts";
import { checkTemplate } from "./check-template.ts";
import { flagsOf } from "./engine-flags.ts";
import { checkContextLength, checkParsers, checkWeightVersions } from "./probe-server.ts";

/** Enough for a model that thinks to begin, and to say what it thinks in. */
const members = { max_tokens: 32 };

const asking: ChatRequest = {
  messages: [{ role: "user", content: "What is 19 + 23? Think first." }],
  tools: null,
  variables: {},
  members,
  ignored: [],
};
const tool = {
  type: "function",
  function: {
    name: "add",
    description: "Adds two numbers.",
    parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  },
};

/**
 * Asks an engine what a trainer needs to know. A check that the engine does not answer fails, and the others go on.
 * @param signal ends all of it, in time
 */
export async function probeEngine(
  probed: ProbedRoute,
  signal: AbortSignal,
): Promise<EngineFinding[]> {
  const { engine, opened, route } = probed;
  const flags = flagsOf[engine];
  let question: ChatRequest;
  let prompt: PromptIds;
  try {
    // Rendered as the route's requests are; what it samples with would only blur the findings.
    question = { ...asEngineGets(asking, route, engine), members };
    prompt = promptIds(null, await (await opened.renderer).render(question, signal));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ check: "template", level: "failed", message: why }];
  }
  const withTool = { ...question, tools: [tool] };
  const found = [await checkTemplate(await opened.renderer, withTool, prompt.length, signal)];
  const first = await askTokens(probed, question, prompt).catch((error: unknown) => ({
    refusal: whyUnreachable(error),
  }));
  if ("refusal" in first) {
    const message = `${first.refusal}. ${flags.token_ids}`;
    return [...found, { check: "token_ids", level: "failed", message }];
  }
  found.push(checkIds(first, prompt, await opened.renderer, flags.token_ids));
  const checks = [
    orNot("logprobs", "failed", () => checkLogprobs(probed, question, prompt, flags.logprobs)),
    orNot("tool_parser", "failed", () => checkTools(probed, question, prompt, flags.tool_parser)),
    async () => checkReasoning(first, flags.reasoning_parser),
    orNot("weight_versions", "warning", () => checkWeightVersions(probed, first.tokens)),
    orNot("context_length", "warning", () => checkContextLength(probed, prompt.length)),
  ];
  for (const check of checks) found.push(await check());
  return engine === "sglang" ? [...found, ...(await checkParsers(probed))] : found;
}

const orNot =
  (
    check: EngineFinding["check"],
    level: EngineFinding["level"],
    run: () => Promise<EngineFinding>,
  ): (() => Promise<EngineFinding>) =>
  () =>
    run().catch((error: unknown) => ({ check, level, message: whyUnreachable(error) }));

async function checkTools(
  probed: ProbedRoute,
  question: ChatRequest,
  prompt: PromptIds,
  flag: string,
): Promise<EngineFinding> {
  const check = "tool_parser";
  const asked = { ...question, tools: [tool], members: { max_tokens: 1, tool_choice: "auto" } };
  const answer = await askTokens(probed, asked, prompt);
  return "refusal" in answer
    ? { check, level: "failed", message: `${answer.refusal}. ${flag}` }
    : { check, level: "ok", message: "tools are accepted" };
}

function checkReasoning({ said, thought }: Sampled, flag: string): EngineFinding {
  const check = "reasoning_parser";
  if (thought) return { check, level: "ok", message: "thinking is told apart from the answer" };
  if (/<\/?think(ing)?>/.test(said))
    return { check, level: "failed", message: `thinking is in the answer's text. ${flag}` };
  return { check, level: "ok", message: "the model did not think" };
}
