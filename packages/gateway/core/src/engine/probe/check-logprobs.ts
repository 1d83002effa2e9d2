import type { EngineFinding } from "@proj/gateway-protocol";
import type { ChatRequest } from "@proj/model-apis";
import { listOf, objectOf } from "@proj/model-apis/json";
import type { PromptIds } from "../../prompts/index.ts";
import { askTokens, type ProbedRoute, type Refusal } from "./ask-tokens.ts";

/** Log probabilities by token. */
type Listed = ReadonlyMap<string, number>;

const check = "logprobs";
/** Engines write a probability of zero as one far below any that they compute. */
const least = -1_000;

/** Two tokens are half as far apart at twice the temperature, unless the engine reports raw values. */
export async function checkLogprobs(
  probed: ProbedRoute,
  question: ChatRequest,
  prompt: PromptIds,
  flag: string,
): Promise<EngineFinding> {
  const unknown = (why: string): EngineFinding => ({
    check,
    level: "warning",
    message: `${why}: not known whether log probabilities are those that were sampled from`,
  });
  const one = await listedAt(1, probed, question, prompt);
  if ("refusal" in one) return unknown(one.refusal);
  const two = await listedAt(2, probed, question, prompt);
  if ("refusal" in two) return unknown(two.refusal);
  // Engines list the sampled token, which differs, beside the best: only what both list can be compared.
  const both = [...one.keys()].filter((token) => two.has(token));
  const byChance = both.toSorted((a, b) => (one.get(b) ?? 0) - (one.get(a) ?? 0));
  const [best, worst] = [byChance.at(0), byChance.at(-1)];
  if (best === undefined || worst === undefined || best === worst)
    return unknown("the engine lists no alternatives");
  const gap = (listed: Listed): number => (listed.get(best) ?? 0) - (listed.get(worst) ?? 0);
  if (gap(one) === 0) return unknown("the best tokens are equally likely");
  const ratio = gap(two) / gap(one);
  if (ratio > 0.4 && ratio < 0.6)
    return { check, level: "ok", message: "those that tokens are sampled from" };
  const what =
    ratio > 0.9 && ratio < 1.1
      ? "log probabilities are those before temperature, not those that tokens are sampled from"
      : `at twice the temperature tokens are ${ratio.toFixed(2)} times as far apart, not half as far`;
  return { check, level: "failed", message: `${what}. ${flag}` };
}

/** What is listed for the first token of an answer. */
async function listedAt(
  temperature: number,
  probed: ProbedRoute,
  question: ChatRequest,
  prompt: PromptIds,
): Promise<Listed | Refusal> {
  const members = { max_tokens: 1, temperature, top_p: 1, top_logprobs: 5 };
  const sampled = await askTokens(probed, { ...question, members }, prompt);
  if ("refusal" in sampled) return sampled;
  const listed = listOf(sampled.listed[0]?.top_logprobs).map(objectOf);
  // Parts of characters have equal texts, and differ in their bytes.
  return new Map(
    listed.flatMap(({ token, bytes, logprob }) =>
      typeof logprob === "number" && logprob > least
        ? [[JSON.stringify([token, bytes]), logprob] as const]
        : [],
    ),
  );
}
