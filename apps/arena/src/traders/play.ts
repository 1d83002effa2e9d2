import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import OpenAI from "openai";
import type { Move } from "./move.ts";
import type { Trader } from "./trader.ts";

export interface Playing {
  readonly trader: Trader;
  readonly rounds: number;
  readonly stepMinutes: number;
  /** The trader's own tools. */
  readonly mcp: { readonly url: string; readonly token: string };
  readonly llm: { readonly baseURL: string; readonly apiKey: string; readonly model: string };
  /** Time-out of a tool call in milliseconds; `next_round` waits for everybody else's turn. */
  readonly toolTimeoutMs: number;
  /** Called with each answer of the model. */
  readonly onAnswer: () => void;
  /** Called with what the model said, and the tools that it called, once they have answered. */
  readonly onMove: (text: string, calls: Move["calls"]) => void;
  readonly signal: AbortSignal;
}

/** How often a model that talks instead of calling a tool is asked to go on. */
const maxReminders = 3;
const reminder = "The arena is not over: call next_round, or trade first.";

/** Plays one trader to the end of the arena: asks the model, runs the tools it calls, and returns it the results. */
export async function play({
  trader,
  mcp,
  llm,
  toolTimeoutMs,
  onAnswer,
  onMove,
  signal,
  ...arena
}: Playing): Promise<void> {
  const tools = new Client({ name: trader.name, version: "1.0.0" });
  const headers = { authorization: `Bearer ${mcp.token}` };
  const transport = new StreamableHTTPClientTransport(new URL(mcp.url), {
    requestInit: { headers },
  });
  await tools.connect(transport);
  try {
    const openai = new OpenAI({ baseURL: llm.baseURL, apiKey: llm.apiKey });
    const listed = (await tools.listTools()).tools;
    const functions = listed.map(({ name, description = "", inputSchema }) => ({
      type: "function" as const,
      function: { name, description, parameters: { ...inputSchema } },
    }));
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "system", content: instructions(trader, arena) },
      { role: "user", content: "The arena begins. Call next_round for your first turn." },
    ];
    let isOver = false;
    let reminders = 0;
    for (;;) {
      const { choices } = await openai.chat.completions.create(
        { model: llm.model, messages, tools: functions },
        { signal },
      );
      const message = choices[0]?.message;
      if (message === undefined) throw new Error("the model gave no answer");
      onAnswer();
      messages.push(message);
      const calls = message.tool_calls ?? [];
      if (calls.length === 0) {
        if (isOver || reminders === maxReminders) return onMove(saidIn(message), []);
        reminders += 1;
        messages.push({ role: "user", content: reminder });
      }
      const moved: Move["calls"][number][] = [];
      for (const call of calls) {
        const options = { signal, timeout: toolTimeoutMs };
        const { content, hasEnded } = await runTool(tools, call, options);
        messages.push({ role: "tool", tool_call_id: call.id, content });
        isOver ||= hasEnded;
        if (call.type === "function")
          moved.push({
            name: call.function.name,
            arguments: call.function.arguments,
            result: content,
          });
      }
      onMove(saidIn(message), moved);
    }
  } finally {
    await tools.close();
  }
}

/** What the model thought and said; servers of open models send thoughts beside the content. */
function saidIn(message: OpenAI.ChatCompletionMessage): string {
  const { reasoning_content, reasoning, content } = Object(message);
  const thought = reasoning_content ?? reasoning;
  return [thought, content].filter((text) => typeof text === "string" && text !== "").join("\n\n");
}

function instructions(
  { style }: Trader,
  { rounds, stepMinutes }: Pick<Playing, "rounds" | "stepMinutes">,
) {
  return (
    `You trade currencies with paper money, for ${rounds} rounds of ${stepMinutes} minutes each. ${style} ` +
    "In each round look, trade if you want to, then call next_round; the market moves only then. " +
    "Your score is your return divided by your deepest drawdown, and a loss counts double: risk little, protect your " +
    "trades with stops, and trade, since doing nothing ranks last. " +
    "When next_round says that the arena is over, say in one sentence how it went."
  );
}

async function runTool(
  tools: Client,
  call: OpenAI.ChatCompletionMessageToolCall,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<{ readonly content: string; readonly hasEnded: boolean }> {
  if (call.type !== "function") return { content: "This is not a function.", hasEnded: false };
  const { name, arguments: argumentsText } = call.function;
  let args: Record<string, unknown>;
  try {
    args = Object(JSON.parse(argumentsText || "{}"));
  } catch {
    return { content: `The arguments of ${name} are not JSON.`, hasEnded: false };
  }
  try {
    const result = await tools.callTool({ name, arguments: args }, options);
    const hasEnded = name === "next_round" && Object(result.structuredContent).is_over === true;
    return { content: textOf(result), hasEnded };
  } catch (error) {
    const { signal } = options;
    if (signal.aborted) throw signal.reason;
    // For example an unknown tool; the model can correct itself.
    return { content: error instanceof Error ? error.message : String(error), hasEnded: false };
  }
}

const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");
