import type { Prompt } from "./prompt.ts";
import { sampleSchema } from "./schema-sample.ts";
import { tokenize } from "./tokens.ts";
import { tradingMove } from "./trading.ts";

/** What the model says in one choice. */
export interface Completion {
  /** Its thinking before the answer; empty if none. */
  readonly thinking: string;
  /** The text, or the arguments of the tool call, in pieces. */
  readonly tokens: readonly string[];
  /** The name of the called tool; null for text. */
  readonly tool: string | null;
  readonly finish: "stop" | "length" | "tool_calls";
}

/** How much of a message an answer repeats, in characters. */
const echoLimit = 2000;

/**
 * @param toolRounds answers in text after this number of tool results since the last user message, unless a
 * tool call is required
 */
export function complete(
  prompt: Prompt,
  toolRounds: number,
): readonly [Completion, ...Completion[]] {
  const others = Array.from({ length: prompt.choices - 1 }, (_, other) =>
    completeOnce(prompt, toolRounds, other + 1),
  );
  return [completeOnce(prompt, toolRounds, 0), ...others];
}

function completeOnce(prompt: Prompt, toolRounds: number, choice: number): Completion {
  const { trading } = prompt.toys;
  const move = trading === null ? null : tradingMove(prompt, trading.seed);
  if (move !== null && "text" in move) return limit(prompt, tokenize(move.text), null);
  if (move !== null)
    return limit(prompt, tokenize(JSON.stringify(move.arguments)), move.tool, move.why);
  const asked = prompt.turns.findLastIndex((turn) => turn.role === "user");
  const question = (prompt.turns[asked]?.text ?? "").trim().slice(0, echoLimit);
  const results = prompt.turns.slice(asked + 1).filter((turn) => turn.role === "tool");
  const tool = chooseTool(prompt, results.length, toolRounds);
  if (tool !== undefined) {
    const sample = sampleSchema(
      tool.parameters ?? { type: "object" },
      question,
      results.length + 1,
    );
    return limit(prompt, tokenize(JSON.stringify(sample)), tool.name);
  }
  const answer = say(
    question,
    results.map((turn) => turn.text),
  );
  const text = phrase(prompt, choice === 0 ? answer : `${answer} (choice ${choice + 1})`);
  return limit(prompt, tokenize(cutAtStop(text, prompt.stop)), null);
}

function chooseTool(
  prompt: Prompt,
  round: number,
  toolRounds: number,
): Prompt["tools"][number] | undefined {
  const { tools, toolChoice } = prompt;
  if (typeof toolChoice === "object") {
    return tools.find((tool) => tool.name === toolChoice.name);
  }
  const last = prompt.turns.at(-1)?.role;
  const due = round < toolRounds && (last === "user" || last === "tool");
  const calls = toolChoice === "required" || (toolChoice === "auto" && due);
  return calls ? tools[round % tools.length] : undefined;
}

function say(question: string, results: readonly string[]): string {
  const sum = calculate(question);
  const last = results.at(-1);
  if (last !== undefined) {
    const calls = results.length === 1 ? "one tool call" : `${results.length} tool calls`;
    return `After ${calls}: ${sum ?? `the last result was ${last.trim().slice(0, echoLimit)}`}`;
  }
  if (question === "") return "I am the demo model. Ask me something.";
  return sum ?? `You said: ${question}`;
}

/** Its only skill besides repeating: sums such as `12 + 30`. */
function calculate(question: string): string | null {
  const [whole, a, sign, b] = /(-?\d{1,9})\s*([-+*])\s*(\d{1,9})/.exec(question) ?? [];
  if (whole === undefined || a === undefined || b === undefined) return null;
  const [left, right] = [Number(a), Number(b)];
  const value = sign === "+" ? left + right : sign === "-" ? left - right : left * right;
  return `${left} ${sign} ${right} = ${value}`;
}

function phrase(prompt: Prompt, answer: string): string {
  const { format } = prompt;
  if (format.kind === "text") return answer;
  if (!("schema" in format)) return JSON.stringify({ answer });
  return JSON.stringify(sampleSchema(format.schema, answer, 1));
}

function cutAtStop(text: string, stops: readonly string[]): string {
  const ends = stops.map((stop) => text.indexOf(stop)).filter((index) => index >= 0);
  return text.slice(0, Math.min(text.length, ...ends));
}

function limit(
  prompt: Prompt,
  tokens: readonly string[],
  tool: string | null,
  thoughts: string = "",
): Completion {
  const most = prompt.maxTokens ?? Infinity;
  const usual = prompt.toys.thinking ? `I have ${prompt.turns.length} messages to go by.` : "";
  const thinking = thoughts || usual;
  const shared = { thinking, tool };
  if (tokens.length > most) return { ...shared, tokens: tokens.slice(0, most), finish: "length" };
  return { ...shared, tokens, finish: tool === null ? "stop" : "tool_calls" };
}
