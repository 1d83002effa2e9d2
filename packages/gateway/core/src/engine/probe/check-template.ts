import type { EngineFinding } from "@proj/gateway-protocol";
import type { ChatRequest } from "@proj/model-apis";
import type { Renderer } from "../../prompts/index.ts";

/**
 * Whether a template writes what tools return: some refuse it, and some leave it out without a word.
 * @param length the question's, in tokens
 */
export async function checkTemplate(
  renderer: Renderer,
  question: ChatRequest,
  length: number,
  signal: AbortSignal,
): Promise<EngineFinding> {
  const check = "template";
  const call = { name: "add", arguments: { a: 19, b: 23 } };
  const withResult = (content: string): ChatRequest => ({
    ...question,
    messages: [
      ...question.messages,
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "call_1", type: "function", function: call }],
      },
      { role: "tool", tool_call_id: "call_1", content },
    ],
  });
  const rendered = `it renders a question in ${length} tokens`;
  try {
    const one = await renderer.render(withResult("The sum is 42."), signal);
    const other = await renderer.render(withResult("No sum."), signal);
    if (one.join() !== other.join())
      return { check, level: "ok", message: `${rendered}, and what a tool returns` };
    const message = `${rendered}, and leaves out what a tool returns: it is for agents without tools`;
    return { check, level: "warning", message };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `${rendered}, and is for agents without tools. ${why}`;
    return { check, level: "warning", message };
  }
}
