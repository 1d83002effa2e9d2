import { type JsonObject, objectOf } from "../json/json-object.ts";

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
 * Reads one choice of an answer. vLLM puts `prompt_token_ids` beside the choices, and `token_ids` and `logprobs` into
 * them; SGLang puts the ids into `sglext`, those of each choice in turn, and logprobs with their ids into `meta_info`; llama.cpp
 * gives each log probability its `id`. LiteLLM's proxy moves what it does not know of a choice into the choice's, or
 * in streams the message's, `provider_specific_fields`.
 * @param at the choice's place in the list; what is beside the choices is the first one's, but for the prompt
 */
export function readEngineTokens(response: unknown, at = 0): EngineTokens {
  const answer = objectOf(response);
  const given = objectOf(listOf(answer.choices)?.[at]);
  const places = [given, movedFrom(given), movedFrom(objectOf(given.message))];
  if (at === 0) places.push(answer, movedFrom(answer));
  const read = (name: string): unknown =>
    places.map((place) => place[name]).find((value) => value !== undefined && value !== null);
  const sglext = objectOf(read("sglext") ?? answer.sglext);
  const meta_info = objectOf(read("meta_info"));
  const sampled = listOf(meta_info.output_token_logprobs)?.map(listOf) ?? null;
  const completion_ids =
    idsOf(read("token_ids")) ??
    idsOf(choiceIds(sglext.output_ids, at)) ??
    idsOf(sampled?.map((token) => token?.[1])) ??
    logprobIds(given);
  return {
    prompt_ids:
      idsOf(
        read("prompt_token_ids") ?? answer.prompt_token_ids ?? movedFrom(answer).prompt_token_ids,
      ) ?? idsOf(sglext.input_ids),
    completion_ids,
    logprobs: numbersOf(sampled?.map((token) => token?.[0])) ?? choiceLogprobs(given),
    versions: versionsOf(answer, meta_info, completion_ids?.length ?? 0),
  };
}

const movedFrom = ({ provider_specific_fields }: JsonObject): JsonObject =>
  objectOf(provider_specific_fields);

/** Null if a token has none. */
function logprobIds({ logprobs }: JsonObject): ArrayLike<number> | null {
  const ids = listOf(objectOf(logprobs).content)?.map((token) => objectOf(token).id) ?? [];
  return ids.length > 0 && ids.every(Number.isInteger) ? idsOf(ids) : null;
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
  if (start < 0 || end < start) return [];
  return [{ version: String(version), start, end }];
}

export const isVersion = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

/** A list for each choice; builds before that had those of the only choice alone. */
function choiceIds(output_ids: unknown, at: number): unknown {
  const ids = listOf(output_ids);
  return at > 0 || Array.isArray(ids?.[0]) ? ids?.[at] : ids;
}

/** Whether it can be the id of a token: no vocabulary has more than a typed array of integers holds. */
export const isTokenId = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 31;

/** A typed array takes half the memory if every element is an id; otherwise the list will be refused. */
function idsOf(value: unknown): ArrayLike<number> | null {
  const ids = listOf(value);
  if (ids === null) return null;
  return ids.every(isTokenId) ? Int32Array.from(ids) : numbersOf(ids);
}

/** Turns anything but a number into NaN, which no trainer accepts. */
export function numbersOf(value: unknown): ArrayLike<number> | null {
  const numbers = listOf(value);
  return numbers === null
    ? null
    : Float64Array.from(numbers, (number) => (typeof number === "number" ? number : Number.NaN));
}

const listOf = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);
