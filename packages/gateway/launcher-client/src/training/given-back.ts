import { readUtterance, type UtterancePart } from "@proj/model-apis/conversation";
import type { RecordedStep } from "@proj/sequences/recorded";

/**
 * Whether a call's answer is among the messages at that place: its tool calls, or, where it has none, its text. Agents
 * trim texts and drop reasoning.
 */
export function isGivenBack(
  { answer }: RecordedStep,
  messages: readonly unknown[],
  at: number,
): boolean {
  const expected = partsOf(answer ?? []);
  const given = partsOf(messages.slice(at, at + (answer?.length ?? 0)));
  const calls = callIds(expected);
  return calls.length > 0
    ? calls.every((id) => callIds(given).includes(id))
    : textOf(given) === textOf(expected);
}

const partsOf = (messages: readonly unknown[]): readonly UtterancePart[] =>
  messages.flatMap((message) => readUtterance(message).parts);

const callIds = (parts: readonly UtterancePart[]): readonly (string | null)[] =>
  parts.flatMap((part) => (part.kind === "tool_call" ? [part.call_id] : []));

const textOf = (parts: readonly UtterancePart[]): string =>
  parts
    .flatMap((part) => (part.kind === "text" ? [part.text] : []))
    .join("")
    .trim();
