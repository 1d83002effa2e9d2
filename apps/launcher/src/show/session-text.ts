import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Utterance, UtterancePart } from "@proj/launcher-client";
import { count, dollars, duration, reward } from "@proj/launcher-client/sheets";
import type { EnvironmentRow, Score } from "@proj/session-store";
import type { ConversationStep, ReplayedFrom } from "@proj/session-store/answers";
import { printable } from "../text/printable.ts";

/** The longest text shown, in characters. */
const maxText = 2000;

const indent = "    ";

export function environmentText(environment: EnvironmentRow, scores: readonly Score[]): string {
  const { session_id, job_id, simulation_id, attempt, env_name, group_id, status } = environment;
  const { started_at, finished_at, env_params, error, result } = environment;
  const said = membersOf(result);
  const fields: readonly (readonly [string, string | null])[] = [
    ["session", session_id],
    ["simulation", `${simulation_id}, attempt ${attempt}, of job ${job_id}`],
    ["status", status],
    ["error", error],
    ["reward", environment.reward === null ? null : reward(environment.reward)],
    ...scores.map((score) => ["score", scoreText(score)] as const),
    ["environment", env_name],
    ["group", group_id],
    ["parameters", env_params],
    ["ran", started_at === null ? null : `${started_at} to ${finished_at ?? "now"}`],
    ["cut off", causeOf(said)],
    ["result", isResult(said) ? JSON.stringify(told(said)) : null],
  ];
  const lines = fields.flatMap(([name, value]) =>
    value === null
      ? []
      : [`${name.padEnd(12)} ${name === "error" ? value : cut(value, maxText)}\n`],
  );
  const output = String(said.last_output ?? "").trim();
  const printed = error?.includes(output) ? "" : `output\n${output.replace(/^/gm, indent)}\n`;
  return printable(lines.join("") + printed);
}

function scoreText({ name, author, repetition, value, label, comment }: Score): string {
  const said = [value === null ? null : reward(value), label].filter((part) => part !== null);
  const time = repetition > 1 ? ` (time ${repetition})` : "";
  return `${name} ${said.join(" ")} by ${author}${time}${comment === null ? "" : `: ${comment}`}`;
}

function membersOf(json: string | null): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json ?? "{}");
  return typeof value === "object" && value !== null ? { ...value } : {};
}

const causes: Readonly<Record<string, string>> = {
  budget: "its budget was spent, and it kept calling the model",
  closed: "its session was closed before it ended",
  time_limit: "its time limit ran out",
  agent: "the agent says so",
  length: "its last answer reached its limit of tokens",
};

/** Null: it was not. */
function causeOf({ truncated, truncated_by }: Readonly<Record<string, unknown>>): string | null {
  if (truncated !== true) return null;
  return causes[String(truncated_by)] ?? "the agent says so";
}

/** Otherwise the attempt failed before there was one. */
const isResult = ({ status }: Readonly<Record<string, unknown>>): boolean => status !== undefined;

/** A result without the members that its agent may not have stated: they have what is taken where it states none. */
function told(result: Readonly<Record<string, unknown>>): object {
  const { session_id: _, truncated_by: _cause, last_output: _output, ...others } = result;
  const isTold = ([name, value]: readonly [string, unknown]): boolean => {
    if (name === "terminated") return value === (result.truncated === true);
    if (name === "metrics") return Object.keys(Object(value)).length > 0;
    return value !== null && value !== 0 && value !== false;
  };
  // Events have lines of their own.
  const { events: _events, ...metrics } = Object(others.metrics ?? {});
  return Object.fromEntries(Object.entries({ ...others, metrics }).filter(isTold));
}

/** Writes the steps of a session for people. */
export class StepText {
  readonly #stream: Writable;
  readonly #longest: number;
  /** The session whose record answered the previous step; null: the model did. */
  #record: string | null = null;

  /** @param full texts are not cut */
  constructor(stream: Writable, full: boolean) {
    this.#stream = stream;
    this.#longest = full ? Infinity : maxText;
  }

  *of(told: ConversationStep): Generator<string> {
    const { step, known_messages, messages, answers, failure } = told;
    yield* this.#changeOfRecord(told);
    yield this.#line("bold", `\n${headOf(told)}`);
    if (known_messages > 0) {
      const none = messages?.length === 0 ? ", and none new" : "";
      yield this.#line("dim", `${indent}(${count(known_messages, "earlier message")}${none})`);
    }
    if (messages === null) yield this.#line("dim", `${indent}(the messages were not captured)`);
    for (const message of messages ?? []) yield* this.#utterance(message);
    const isChoice = step.response?.includes('"choices"') ?? false;
    for (const [index, answer] of (answers ?? []).entries()) {
      yield* this.#utterance(answer, isChoice && index > 0 ? ` (choice ${index + 1})` : "");
    }
    if (failure !== null) yield this.#line("red", `  failed: ${cut(failure, this.#longest)}`);
    else if (answers === null) yield this.#line("dim", `${indent}(no answer was captured)`);
  }

  /** Marks where a replay begins, and where the session leaves the record. */
  *#changeOfRecord({ replayed_from, diverged }: ConversationStep): Generator<string> {
    if (diverged !== null)
      yield this.#line("red", `\n(the request differs from ${diverged}: the model answers)`);
    const before = this.#record;
    const now = replayed_from?.session_id ?? null;
    this.#record = now;
    if (now === before) return;
    const said =
      now === null
        ? `the record of session ${before} ends here: from now on the model answers`
        : `answered from the record of session ${now}`;
    yield this.#line("dim", `\n(${said})`);
  }

  *#utterance({ role, parts }: Utterance, addition = ""): Generator<string> {
    for (const part of parts) {
      yield this.#line("cyan", `  ${titleOf(role, part)}${addition}`);
      const text = cut(contentOf(part), this.#longest).replace(/^/gm, indent);
      yield part.kind === "reasoning" ? this.#line("dim", text) : `${printable(text)}\n`;
    }
  }

  #line(colour: Colour, text: string): string {
    return `${styleText(colour, printable(text), { stream: this.#stream })}\n`;
  }
}

type Colour = "bold" | "cyan" | "dim" | "red";

function headOf(told: ConversationStep): string {
  const { step, prompt_tokens, completion_tokens, cost_nano_usd, upstream_ms, finish_reason } =
    told;
  const { replayed_from } = told;
  const tokens =
    prompt_tokens === null && completion_tokens === null
      ? []
      : [`${prompt_tokens ?? "?"} tokens in, ${completion_tokens ?? "?"} out`];
  return [
    `step ${step.step_id}`,
    step.model,
    ...tokens,
    ...(cost_nano_usd === null ? [] : [dollars(cost_nano_usd)]),
    ...(upstream_ms === null ? [] : [duration(upstream_ms)]),
    ...(finish_reason === null ? [] : [finish_reason]),
    ...(step.reward === null ? [] : [`reward ${reward(step.reward)}`]),
    ...(replayed_from === null ? [] : [replayText(replayed_from)]),
  ].join("  ");
}

function replayText({ step_id, ignored }: ReplayedFrom): string {
  const differing = ignored.length === 0 ? "" : `, which differs in ${ignored.join(", ")}`;
  return `replayed from step ${step_id}${differing}`;
}

function titleOf(role: string, part: UtterancePart): string {
  switch (part.kind) {
    case "text":
    case "tool_result":
      return role;
    case "reasoning":
      return `${role}, reasoning`;
    case "refusal":
      return `${role} refuses`;
    case "tool_call":
      return `${role} calls ${part.name}`;
    case "image":
    case "other":
      return `${role}: ${part.type}`;
  }
}

function contentOf(part: UtterancePart): string {
  if (part.kind === "tool_call") return part.arguments;
  return "json" in part ? part.json : part.text;
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)} … (${text.length - longest} more characters: --full)`;
}
