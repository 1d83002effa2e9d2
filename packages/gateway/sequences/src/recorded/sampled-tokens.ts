import { type JsonObject, listOf, objectOf } from "@proj/model-apis/json";
import { readEngineRecord, readEngineTokens } from "@proj/model-apis/tokens";

/**
 * How many tokens a choice has whose ids are missing; null: nothing says. The upstream counts all choices together:
 * what is left when the others are counted is the first uncounted one's.
 */
export function countSampled(response: unknown, meta: JsonObject, at: number): number | null {
  const counts = choicesOf(response).map((_, index) => countOf(response, index));
  const own = counts[at] ?? null;
  const { completion_tokens } = meta;
  if (counts.length > 1 && own !== null) return own;
  if (typeof completion_tokens === "number") {
    const others = counts.reduce<number>(
      (sum, count, index) => sum + (index === at ? 0 : (count ?? 0)),
      0,
    );
    const isFirst = counts.indexOf(null) === at || counts.length <= 1;
    return isFirst ? Math.max(own ?? 0, completion_tokens - others) : 0;
  }
  const counted = own ?? countToldBeside(response) ?? countOutput(response);
  if (counted !== null) return counted;
  // An upstream that refused has sampled nothing.
  return meta.status_code === 200 || meta.upstream_status_code === 200 ? null : 0;
}

function countOf(response: unknown, at: number): number | null {
  const { completion_ids, logprobs } = readEngineTokens(response, at);
  return completion_ids?.length ?? logprobs?.length ?? null;
}

/** What an engine told of a translated answer, although its ids may be wrong. */
function countToldBeside(response: unknown): number | null {
  const record = readEngineRecord(response);
  if (record === null) return null;
  return Math.max(record.token_ids.length, record.logprobs?.length ?? 0) || null;
}

/** The Responses API has log probabilities on each part of a text. */
function countOutput(response: unknown): number | null {
  const parts = listOf(objectOf(response).output).flatMap((item) => listOf(objectOf(item).content));
  const counts = parts.flatMap((part) => listOf(objectOf(part).logprobs));
  return counts.length === 0 ? null : counts.length;
}

/** The choices of an answer; of the other APIs none. */
export const choicesOf = (response: unknown): readonly unknown[] =>
  listOf(objectOf(response).choices);
