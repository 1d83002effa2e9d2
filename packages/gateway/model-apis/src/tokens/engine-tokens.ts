import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** Which weights produced the tokens from `start` to before `end` of an answer. */
export interface VersionSpan {
  readonly version: string;
  readonly start: number;
  readonly end: number;
}

/** What an engine reported about the tokens of one answer; null if it reported nothing. */
export interface EngineTokens {
  readonly prompt_ids: ArrayLike<number> | null;
  readonly completion_ids: ArrayLike<number> | null;
  readonly logprobs: ArrayLike<number> | null;
  /** Which weights produced which tokens. */
  readonly versions: readonly VersionSpan[] | null;
}

/**
 * Reads an answer's first choice. vLLM puts `prompt_token_ids` beside the choices, and `token_ids` and
 * `logprobs` into them; SGLang puts the ids into the choice or into `sglext`, and logprobs with their ids
 * into `meta_info`.
 */
export function readEngineTokens(response: unknown): EngineTokens {
  const answer = objectOf(response);
  const choice = objectOf(listOf(answer.choices)?.[0]);
  const sglext = objectOf(answer.sglext ?? choice.sglext);
  const meta_info = objectOf(choice.meta_info ?? answer.meta_info);
  const sampled = listOf(meta_info.output_token_logprobs)?.map(listOf) ?? null;
  const completion_ids =
    idsOf(choice.token_ids ?? answer.token_ids) ??
    idsOf(sglext.output_ids) ??
    idsOf(sampled?.map((token) => token?.[1]));
  return {
    prompt_ids:
      idsOf(choice.prompt_token_ids ?? answer.prompt_token_ids) ?? idsOf(sglext.input_ids),
    completion_ids,
    logprobs: numbersOf(sampled?.map((token) => token?.[0])) ?? choiceLogprobs(choice),
    versions: versionsOf(answer, meta_info, completion_ids?.length ?? 0),
  };
}

/** A list of objects in chat completions; a list of numbers in legacy completions. */
function choiceLogprobs({ logprobs }: JsonObject): ArrayLike<number> | null {
  const { content, token_logprobs } = objectOf(logprobs);
  return (
    numbersOf(listOf(content)?.map((token) => objectOf(token).logprob)) ?? numbersOf(token_logprobs)
  );
}

/** Spans if the weights changed during the answer, else the version of the whole. */
function versionsOf(
  answer: JsonObject,
  meta_info: JsonObject,
  length: number,
): VersionSpan[] | null {
  const metadata = objectOf(answer.metadata);
  const spans = listOf(meta_info.weight_versions ?? metadata.weight_versions);
  if (spans !== null) return spans.flatMap(spanOf);
  const version = meta_info.weight_version ?? metadata.weight_version;
  return isVersion(version) ? [{ version: String(version), start: 0, end: length }] : null;
}

function spanOf(value: unknown): VersionSpan[] {
  const { version, start, end } = objectOf(value);
  if (!isVersion(version) || typeof start !== "number" || typeof end !== "number") return [];
  return [{ version: String(version), start, end }];
}

export const isVersion = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

/**
 * A typed array takes half the memory if every element is an id; otherwise the list stays as it is and will
 * be refused.
 */
function idsOf(value: unknown): ArrayLike<number> | null {
  const ids = listOf(value);
  if (ids === null) return null;
  const packed = Int32Array.from(ids, Number);
  return packed.every((id, at) => id === ids[at]) ? packed : Float64Array.from(ids, Number);
}

/** Turns anything but a number into NaN, which no trainer accepts. */
function numbersOf(value: unknown): ArrayLike<number> | null {
  const numbers = listOf(value);
  return numbers === null
    ? null
    : Float64Array.from(numbers, (number) => (typeof number === "number" ? number : Number.NaN));
}

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);
