import { formOf } from "@proj/model-apis";
import { type ConversationForm, isJsonObject, objectOf } from "@proj/model-apis/conversation";
import {
  type EngineTokens,
  isVersion,
  readEngineRecord,
  readEngineTokens,
} from "@proj/model-apis/tokens";
import type { Agent, Step, VersionSpan } from "../records/step.ts";
import { answerOf, toolCallIds } from "./answer-items.ts";
import { EnginePrompts } from "./engine-prompts.ts";
import { type MissingIds, whyIdsAreMissing } from "./missing-ids.ts";
import { choicesOf, countSampled } from "./sampled-tokens.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** The columns read from a row of `session_steps`, with the row whole. */
export interface StoredCall {
  /** Rises from row to row. */
  readonly id: number;
  readonly model: string;
  readonly step_id: number;
  readonly status_code: number;
  readonly is_terminal: boolean;
  readonly is_truncated?: boolean;
  readonly created_at: string;
  readonly meta_json: string;
  readonly request: string | null;
  readonly response: string | null;
  readonly messages: string | null;
  /** `partial`: `messages` begin in the middle of the conversation. @default they are whole */
  readonly history?: "partial";
}

/** The headers named in a route's `record_request_headers` and `record_headers`; null if none. */
export interface StepHeaders {
  readonly step: string;
  readonly request: JsonObject | null;
  readonly response: JsonObject | null;
}

/**
 * A stored step in the form from which training sequences are made; of an answer with several choices each is a step.
 * Messages are parsed on every access.
 */
export class RecordedStep implements Step {
  readonly #stored: StoredCall;
  readonly #choice: number;
  readonly #form: ConversationForm;
  readonly id: string;
  readonly model: string;
  readonly order: { readonly began: number; readonly ended: number };
  readonly started_at: number;
  readonly ended_at: number;
  readonly status_code: number;
  readonly is_capture_truncated: boolean;
  readonly is_terminal: boolean;
  readonly is_truncated: boolean;
  readonly prompt_ids: ArrayLike<number> | null;
  readonly completion_ids: ArrayLike<number> | null;
  readonly logprobs: ArrayLike<number> | null;
  readonly versions: readonly VersionSpan[] | null;
  readonly sampled_tokens: number | null;
  readonly ids_missing: MissingIds | null;
  readonly finish_reason: string | null;
  /** Tokens as counted by the upstream; a count that it did not give is missing. */
  readonly usage: { readonly prompt_tokens?: number; readonly completion_tokens?: number };
  readonly response_id: string | null;
  readonly tool_call_ids: readonly string[];
  readonly agent: Agent | null;
  readonly request_kind: string | null;
  readonly side_call: string | null;
  readonly retry_of: string | null;
  readonly replayed_from: string | null;
  /** Earlier messages that the model was shown are in no row. */
  readonly has_partial_history: boolean;
  /** Null if none were recorded. */
  readonly headers: StepHeaders | null;

  /** @param prompts of the session's earlier steps, to which these are added */
  static allOf(stored: StoredCall, prompts: EnginePrompts = new EnginePrompts()): RecordedStep[] {
    const { length } = choicesOf(parsed(stored.response));
    return Array.from(
      { length: Math.max(1, length) },
      (_, choice) => new RecordedStep(stored, prompts, choice),
    );
  }

  /** @param choice which of the answer's choices this is */
  constructor(stored: StoredCall, prompts: EnginePrompts = new EnginePrompts(), choice = 0) {
    const meta = objectOf(parsed(stored.meta_json));
    const response = parsed(stored.response);
    const tokens = tokensOf(response, meta, prompts, choice);
    const request = objectOf(parsed(stored.request));
    const agent = objectOf(meta.agent);
    this.#form = formOf(meta.endpoint);
    this.#stored = stored;
    this.#choice = choice;
    this.model = stored.model;
    this.id = stepName(stored.model, stored.step_id, choice);
    this.order = { began: stored.step_id, ended: stored.id };
    // The row is made when the answer has ended, and the caller gets the answer's end only after that.
    this.ended_at = Date.parse(stored.created_at);
    this.started_at = Date.parse(textOf(meta.started_at) ?? stored.created_at);
    this.status_code = stored.status_code;
    this.is_capture_truncated = meta.truncated === true;
    this.is_terminal = stored.is_terminal;
    this.is_truncated = stored.is_truncated === true;
    this.prompt_ids = tokens.prompt_ids;
    this.completion_ids = tokens.completion_ids;
    this.logprobs = tokens.logprobs;
    this.versions = tokens.versions ?? dispatchedVersion(meta, tokens);
    this.sampled_tokens = countSampled(
      response,
      { ...meta, status_code: stored.status_code },
      choice,
    );
    this.ids_missing = whyIdsAreMissing({ meta, request, response, tokens });
    this.finish_reason =
      choice === 0
        ? textOf(meta.finish_reason)
        : textOf(objectOf(choicesOf(response)[choice]).finish_reason);
    const { prompt_tokens, completion_tokens } = meta;
    this.usage = {
      ...(typeof prompt_tokens === "number" ? { prompt_tokens } : {}),
      ...(typeof completion_tokens === "number" ? { completion_tokens } : {}),
    };
    this.response_id = textOf(objectOf(response).id);
    this.tool_call_ids = answerOf(response, choice).flatMap(toolCallIds);
    this.agent = agentOf(agent);
    this.request_kind = textOf(agent.request_kind);
    this.side_call = textOf(meta.side_call);
    this.retry_of =
      typeof meta.retry_of === "number" ? stepName(stored.model, meta.retry_of, choice) : null;
    const { session_id, step_id } = objectOf(meta.replayed_from);
    this.replayed_from =
      typeof step_id === "number"
        ? `${String(session_id)}/${stepName(stored.model, step_id, choice)}`
        : null;
    this.has_partial_history = stored.history === "partial";
    this.headers = headersOf(this.id, meta);
  }

  get messages(): readonly unknown[] | null {
    const { messages, request } = this.#stored;
    const given = parsed(messages);
    // The Responses API takes a bare string as a user message.
    const list = typeof given === "string" ? [{ role: "user", content: given }] : given;
    if (!Array.isArray(list)) return null;
    const content = this.#form.systemOf(objectOf(parsed(request)));
    return content === null ? list : [{ role: "system", content }, ...list];
  }

  get answer(): readonly unknown[] | null {
    return answerOf(parsed(this.#stored.response), this.#choice);
  }

  get tools(): unknown {
    return objectOf(parsed(this.#stored.request)).tools ?? null;
  }

  get previous_response_id(): string | null {
    return textOf(objectOf(parsed(this.#stored.request)).previous_response_id);
  }
}

/** An engine's own words about a translated answer come first: the answer itself has no ids. */
function tokensOf(
  response: unknown,
  meta: JsonObject,
  prompts: EnginePrompts,
  choice: number,
): EngineTokens {
  const record = readEngineRecord(response);
  if (record === null) return readEngineTokens(response, choice);
  const request_ids = [meta.request_id, objectOf(meta.replayed_from).request_id];
  const prompt_ids = prompts.add(
    record,
    request_ids.filter((id) => typeof id === "string"),
  );
  const { token_ids, logprobs, versions, wrong_ids, prompt_mismatch } = record;
  return {
    // Nobody may train on ids that the engine did not use.
    prompt_ids: prompt_mismatch ? null : prompt_ids,
    completion_ids: wrong_ids === null ? token_ids : null,
    logprobs,
    versions,
  };
}

/** Names a step within its session. */
const stepName = (model: string, step_id: number, choice: number): string =>
  choice === 0 ? `${model}/${step_id}` : `${model}/${step_id}#${choice + 1}`;

function headersOf(step: string, meta: JsonObject): StepHeaders | null {
  const request = isJsonObject(meta.request_headers) ? meta.request_headers : null;
  const response = isJsonObject(meta.headers) ? meta.headers : null;
  return request === null && response === null ? null : { step, request, response };
}

function agentOf({ id, parent, kind }: JsonObject): Agent | null {
  const name = textOf(id);
  return name === null ? null : { id: name, parent: textOf(parent), kind: textOf(kind) };
}

function dispatchedVersion(
  meta: JsonObject,
  { completion_ids }: EngineTokens,
): VersionSpan[] | null {
  const { weight_version } = meta;
  if (!isVersion(weight_version)) return null;
  return [{ version: String(weight_version), start: 0, end: completion_ids?.length ?? 0 }];
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
