import type { StoredStep } from "@proj/session-store";
import { isJsonObject, type JsonObject } from "../answer/answer.ts";
import { elementsOf } from "./json-slices.ts";
import { MessageHistory } from "./message-history.ts";
import { isJson } from "./step-json.ts";
import { readUtterance, type Utterance } from "./utterance.ts";

/** One step of a session, as people read it. */
export interface ConversationStep {
  readonly step: StoredStep;
  /** How many messages the request began with that earlier steps have shown, answers included. */
  readonly known_messages: number;
  /** The others; null: they were not captured. */
  readonly messages: readonly Utterance[] | null;
  /** The choices, or the items of the output; null: not captured, or no answer. */
  readonly answers: readonly Utterance[] | null;
  readonly finish_reason: string | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  /** From forwarding to the last byte, in milliseconds. */
  readonly upstream_ms: number | null;
  /** Why the step failed; null: it did not. */
  readonly failure: string | null;
}

/** Reads a session's steps as a conversation: of each step only what is new in it. */
export async function* readConversation(
  steps: AsyncIterable<StoredStep>,
): AsyncGenerator<ConversationStep, void, undefined> {
  const history = new MessageHistory();
  for await (const step of steps) {
    const meta = objectOf(parsed(step.meta_json));
    const response = parsed(step.response);
    const texts = requestMessages(step);
    const read = (index: number): Utterance => readUtterance(JSON.parse(texts?.[index] ?? "null"));
    const known_messages = texts === null ? 0 : history.countKnown(texts, read);
    const answers = step.status_code === 200 ? answersOf(response) : null;
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
      upstream_ms: numberOf(meta.upstream_ms),
      failure: step.status_code === 200 ? null : failureOf(step.status_code, meta, response),
    };
  }
}

/** The messages as they stand in the request; instructions are the first of them. */
function requestMessages({ messages, request }: StoredStep): readonly string[] | null {
  if (messages === null || !isJson(messages)) return null;
  const { instructions } = objectOf(parsed(request));
  const first = stringOf(instructions);
  const system = first === null ? [] : [JSON.stringify({ role: "system", content: first })];
  // The responses endpoint takes a bare string for what the user says.
  const isBare = messages.startsWith('"');
  const given = isBare ? [`{"role":"user","content":${messages}}`] : elementsOf(messages);
  return [...system, ...given];
}

function answersOf(response: unknown): readonly Utterance[] | null {
  if (!isJsonObject(response)) return null;
  const { choices, output } = response;
  if (Array.isArray(choices)) {
    return choices.map((choice) => readUtterance(objectOf(choice).message));
  }
  return Array.isArray(output) ? output.map(readUtterance) : null;
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

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
const stringOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);
