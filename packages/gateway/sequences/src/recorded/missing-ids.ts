import { isJsonObject, type JsonObject } from "@proj/model-apis/json";
import { type EngineRecord, type EngineTokens, readEngineRecord } from "@proj/model-apis/tokens";

/**
 * Why an answer has no token ids.
 *
 * - `api`: the Responses and the Messages API have no place for them; a route with `engine` keeps them beside the answer
 * - `flag`: nothing asked for them
 * - `engine`: they were asked for, and the server did not give all of them, or others than it sampled
 * - `proxy`: LiteLLM's proxy left them out
 * - `not_captured`: the answer was not recorded
 * - `prompt_mismatch`: the engine used other ids than it was sent
 * - `earlier_step_missing`: the prompt goes on from a step that is not there
 */
export type MissingIds =
  | "api"
  | "flag"
  | "engine"
  | "proxy"
  | "not_captured"
  | "prompt_mismatch"
  | "earlier_step_missing";

interface Answered {
  readonly meta: JsonObject;
  readonly request: JsonObject;
  readonly response: unknown;
  readonly tokens: EngineTokens;
}

/** Null if both the prompt's and the completion's ids are there. */
export function whyIdsAreMissing({ meta, request, response, tokens }: Answered): MissingIds | null {
  if (tokens.prompt_ids !== null && tokens.completion_ids !== null) return null;
  const record: EngineRecord | null = readEngineRecord(response);
  if (record?.prompt_mismatch === true) return "prompt_mismatch";
  if (record !== null) return record.wrong_ids === null ? "earlier_step_missing" : "engine";
  if (!isJsonObject(response)) return "not_captured";
  if (!Array.isArray(response.choices)) return "api";
  if (response.choices.some(isMoved)) return "proxy";
  const isAsked = meta.asks_token_ids === true || request.return_token_ids === true;
  return isAsked || tokens.completion_ids !== null ? "engine" : "flag";
}

/** LiteLLM's proxy alone writes this member. */
const isMoved = (choice: unknown): boolean =>
  isJsonObject(choice) &&
  ("provider_specific_fields" in choice ||
    (isJsonObject(choice.message) && "provider_specific_fields" in choice.message));
