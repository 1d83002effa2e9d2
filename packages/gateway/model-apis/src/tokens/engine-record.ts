import { isJsonObject, type JsonObject, objectOf } from "../json/json-object.ts";
import { isTokenId, numbersOf, type VersionSpan } from "./engine-tokens.ts";

/**
 * What is wrong with the sampled ids that an engine told. `missing`: it told none. `not_ids`: some cannot be ids, and
 * none is kept. `miscounted`: it says that it sampled another number of tokens.
 */
export type WrongIds = "missing" | "not_ids" | "miscounted";

/**
 * What an inference engine said about an answer that was translated: the member `engine` of the row's `response`,
 * beside the answer as the agent got it.
 */
export interface EngineRecord {
  /**
   * The prompt's ids behind those of the step that it continues: all ids of that step's prompt and answer come first.
   * `continues` is that step's `request_id`; null: the ids are the whole prompt.
   */
  readonly prompt: { readonly continues: string | null; readonly ids: ArrayLike<number> };
  readonly made: "continued" | "rendered";
  /** Why it was rendered although the session had something to continue; null: it had not. */
  readonly reason: string | null;
  readonly token_ids: ArrayLike<number>;
  readonly logprobs: ArrayLike<number> | null;
  readonly versions: readonly VersionSpan[] | null;
  readonly finish_reason: string | null;
  /** Why no later prompt may continue the answer; null: it ends where the model ended its turn. */
  readonly cut: string | null;
  /** Nobody may train on these ids; null: nothing is wrong with them. */
  readonly wrong_ids: WrongIds | null;
  /** The engine said that it was prompted with other ids. */
  readonly prompt_mismatch: boolean;
  /** How many tokens there were each time that a pause cut the answer off and the engine went on behind them. */
  readonly resumed: readonly number[];
  /** Members of the request that were not sent: they change nothing about what is sampled, or are not the API's. */
  readonly ignored: readonly string[];
}

/** Reads the member of a recorded answer; null if it has none. */
export function readEngineRecord(response: unknown): EngineRecord | null {
  const engine = isJsonObject(response) ? response.engine : null;
  if (!isJsonObject(engine) || !isJsonObject(engine.prompt)) return null;
  const { prompt, made, reason, token_ids, versions, finish_reason, cut, wrong_ids } = engine;
  const ids = idsOf(prompt.ids);
  const sampled = idsOf(token_ids);
  if (ids === null || sampled === null) return null;
  return {
    prompt: { continues: stringOf(prompt.continues), ids },
    made: made === "continued" ? made : "rendered",
    reason: stringOf(reason),
    token_ids: sampled,
    logprobs: numbersOf(engine.logprobs),
    versions: Array.isArray(versions) ? versions.flatMap(spanOf) : null,
    finish_reason: stringOf(finish_reason),
    cut: stringOf(cut),
    wrong_ids: wrongs.find((wrong) => wrong === wrong_ids) ?? null,
    prompt_mismatch: engine.prompt_mismatch === true,
    resumed: Array.isArray(engine.resumed) ? engine.resumed.map(Number) : [],
    ignored: Array.isArray(engine.ignored) ? engine.ignored.map(String) : [],
  };
}

const wrongs: readonly WrongIds[] = ["missing", "not_ids", "miscounted"];

function idsOf(value: unknown): Int32Array | null {
  return Array.isArray(value) && value.every(isTokenId) ? Int32Array.from(value) : null;
}

const stringOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

function spanOf(value: unknown): VersionSpan[] {
  const { version, start, end }: JsonObject = objectOf(value);
  if (typeof version !== "string" || typeof start !== "number" || typeof end !== "number")
    return [];
  return [{ version, start, end }];
}
