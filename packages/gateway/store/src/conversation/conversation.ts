import { formOf } from "@proj/model-apis";
import {
  type ConversationForm,
  readUtterance,
  type Utterance,
} from "@proj/model-apis/conversation";
import { type JsonObject, objectOf } from "@proj/model-apis/json";
import type { StoredStep } from "../store.ts";
import { MessageHistory } from "./message-history.ts";
import { isJson } from "./step-json.ts";

/** One step of a session, in readable form. */
export interface ConversationStep {
  readonly step: StoredStep;
  /** How many messages at the start of the request earlier steps have already shown, answers included. */
  readonly known_messages: number;
  /** The request's other messages; null: they were not captured. */
  readonly messages: readonly Utterance[] | null;
  /** The choices, the output items, or the message; null: not captured, or no answer. */
  readonly answers: readonly Utterance[] | null;
  readonly finish_reason: string | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  /** In nano-dollars (10^-9 US dollars). */
  readonly cost_nano_usd: number | null;
  /** From forwarding to the last byte, in milliseconds. */
  readonly upstream_ms: number | null;
  /** Why the step failed; null: it did not. */
  readonly failure: string | null;
  /** The recorded step that answered this one; null if the model did. */
  readonly replayed_from: ReplayedFrom | null;
  /** The recorded step that the request should have repeated, and where it differs; null: it ended no replay. */
  readonly diverged: string | null;
}

export interface ReplayedFrom {
  readonly session_id: string;
  readonly step_id: number;
  /** Members that differ between the two requests and were ignored. */
  readonly ignored: readonly string[];
}

/** Reads a session's steps as a conversation: for each step only what is new in it. */
export async function* readConversation(
  steps: AsyncIterable<StoredStep>,
): AsyncGenerator<ConversationStep, void, undefined> {
  const history = new MessageHistory();
  for await (const step of steps) {
    const meta = objectOf(parsed(step.meta_json));
    const response = parsed(step.response);
    const form = formOf(meta.endpoint);
    const texts = requestMessages(step, form);
    const read = (index: number): Utterance => readUtterance(JSON.parse(texts?.[index] ?? "null"));
    const known_messages = texts === null ? 0 : history.countKnown(texts, read);
    const answers = step.status_code === 200 ? form.answersOf(objectOf(response)) : null;
    if (texts !== null) history.addAnswers(answers ?? []);
    yield {
      step,
      known_messages,
      messages:
        texts?.slice(known_messages).map((_, index) => read(known_messages + index)) ?? null,
      answers,
      finish_reason: stringOf(meta.finish_reason),
      prompt_tokens: numberOf(meta.prompt_tokens),
      completion_tokens: numberOf(meta.completion_tokens),
      cost_nano_usd: numberOf(meta.cost_nano_usd),
      upstream_ms: numberOf(meta.upstream_ms),
      failure: step.status_code === 200 ? null : failureOf(step.status_code, meta, response),
      replayed_from: replayedFrom(objectOf(meta.replayed_from)),
      diverged: stringOf(meta.diverged),
    };
  }
}

/** The messages of the request, instructions first. */
function requestMessages(
  { messages, request }: StoredStep,
  form: ConversationForm,
): readonly string[] | null {
  if (messages === null || !isJson(messages)) return null;
  const content = form.systemOf(objectOf(parsed(request)));
  const system = content === null ? [] : [JSON.stringify({ role: "system", content })];
  return [...system, ...form.messagesOf(messages)];
}

function failureOf(status_code: number, meta: JsonObject, response: unknown): string {
  const { outcome, upstream_status_code } = meta;
  const { error, message, detail } = objectOf(response);
  const said = [meta.error, objectOf(error).message, error, message, detail, response];
  const why = said.find((text) => typeof text === "string" && text !== "");
  const upstream =
    typeof upstream_status_code === "number" && upstream_status_code !== status_code
      ? `, the upstream answered ${upstream_status_code}`
      : "";
  const how = typeof outcome === "string" && outcome !== "completed" ? ` ${outcome}` : "";
  return `${status_code}${how}${upstream}${why === undefined ? "" : `: ${why}`}`;
}

function replayedFrom({ session_id, step_id, ignored }: JsonObject): ReplayedFrom | null {
  if (typeof session_id !== "string" || typeof step_id !== "number") return null;
  const members = Array.isArray(ignored) ? ignored : [];
  return { session_id, step_id, ignored: members.filter((member) => typeof member === "string") };
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

const stringOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);
