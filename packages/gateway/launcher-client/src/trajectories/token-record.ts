import { arrayOf, elementsOf, memberOf } from "@proj/model-apis/conversation";

/** What an upstream reported about an answer's tokens: JSON texts of arrays; null: nothing. */
export interface TokenRecord {
  readonly prompt_token_ids: string | null;
  readonly token_ids: string | null;
  /** An array of objects with `token`, `logprob`, `bytes` and `top_logprobs`. */
  readonly logprobs: string | null;
}

const nothing: TokenRecord = { prompt_token_ids: null, token_ids: null, logprobs: null };

/**
 * Reads the tokens of either endpoint's answer, byte for byte. If it has several choices, reads those of the first.
 * @param response valid JSON; null: it was not captured
 */
export function readTokens(response: string | null): TokenRecord {
  if (response === null || !/token_ids|logprobs/.test(response)) return nothing;
  const choices = memberOf(response, "choices");
  const [choice] = choices === null ? [] : elementsOf(choices);
  const read = (name: string): string | null =>
    arrayOf(choice === undefined ? null : memberOf(choice, name)) ??
    arrayOf(memberOf(response, name));
  const choiceLogprobs = choice === undefined ? null : memberOf(choice, "logprobs");
  return {
    prompt_token_ids: read("prompt_token_ids"),
    token_ids: read("token_ids"),
    logprobs:
      choiceLogprobs === null
        ? readOutputLogprobs(response)
        : arrayOf(memberOf(choiceLogprobs, "content")),
  };
}

/** The logprobs of the responses endpoint, which has them on each part of text. */
function readOutputLogprobs(response: string): string | null {
  const output = memberOf(response, "output");
  if (output === null) return null;
  const lists = elementsOf(output)
    .flatMap((item) => elementsOf(memberOf(item, "content") ?? "null"))
    .map((part) => arrayOf(memberOf(part, "logprobs")))
    .filter((list) => list !== null);
  return lists.length === 0 ? null : `[${lists.flatMap(elementsOf).join(",")}]`;
}
