import type { EngineFinding } from "@proj/gateway-protocol";
import { type PromptIds, type Renderer, wholePrompt } from "../../prompts/index.ts";
import { areIds, wrongIds } from "../told-ids.ts";
import type { Sampled } from "./ask-tokens.ts";

/** Whether the ids of a prompt and of its answer come back as a trainer needs them. */
export function checkIds(
  sampled: Sampled,
  prompt: PromptIds,
  renderer: Renderer,
  flag: string,
): EngineFinding {
  const check = "token_ids";
  const { completion_ids } = sampled.tokens;
  const wrong = whatIsWrong(sampled, prompt) ?? otherTexts(sampled, renderer);
  if (wrong !== null) return { check, level: "failed", message: `${wrong}. ${flag}` };
  const message = `${completion_ids?.length} ids with as many log probabilities, of the prompt that was sent`;
  return { check, level: "ok", message };
}

function whatIsWrong({ tokens, counted }: Sampled, prompt: PromptIds): string | null {
  const { prompt_ids, completion_ids, logprobs } = tokens;
  if (completion_ids === null) return "no ids of the sampled tokens come back";
  const wrong = wrongIds(completion_ids, counted);
  if (wrong === "not_ids") return "some ids of the sampled tokens cannot be ids";
  if (wrong === "miscounted") return `${completion_ids.length} ids come of ${counted} tokens`;
  if (logprobs === null) return "no log probabilities come back";
  if (completion_ids.length !== logprobs.length)
    return `${completion_ids.length} ids come with ${logprobs.length} log probabilities`;
  if (!Array.from(logprobs).every(isLogprob)) return "some log probabilities cannot be any";
  if (prompt_ids === null) return "the ids of the prompt do not come back";
  const sent = wholePrompt(prompt);
  const isSame = prompt_ids.length === sent.length && sent.every((id, at) => id === prompt_ids[at]);
  return isSame ? null : "the engine was prompted with other ids than it was sent";
}

/** Engines round. */
const isLogprob = (value: number): boolean => Number.isFinite(value) && value < 1e-3;

/** Ids that belong to other tokens than the log probabilities beside them, as far as both say their texts. */
function otherTexts({ tokens, listed }: Sampled, renderer: Renderer): string | null {
  const ids = Array.from(tokens.completion_ids ?? []);
  if (!areIds(ids) || listed.length !== ids.length) return null;
  const compared = ids.flatMap((id, at) => {
    const texts = renderer.tokenTexts(id);
    const told = listed[at]?.token;
    if (texts.length === 0 || typeof told !== "string" || told.trim() === "") return [];
    if (/\ufffd|^token_id:/.test(texts.join("") + told)) return [];
    // Some vocabularies have a token's space in its text, and others beside it.
    return [texts.some((text) => text.trim() === told.trim())];
  });
  const same = compared.filter((isSame) => isSame).length;
  // An engine may write some tokens in another way. Of ids that are shifted, only those that repeat are the same.
  if (compared.length < minCompared || same * 5 >= compared.length) return null;
  return `${compared.length - same} of ${compared.length} ids belong to other texts in the route's tokenizer than the engine says`;
}

const minCompared = 4;
