import type { ChatMessage, ChatRequest } from "@proj/model-apis";
import { GatewayError } from "../../errors/gateway-error.ts";

/** All that decides the ids of a prompt. */
export type ChatPrompt = Pick<ChatRequest, "messages" | "tools" | "variables">;

/** Turns conversations into the token ids of a prompt. */
export interface Renderer {
  /** The ids of a whole conversation, up to where the model goes on. */
  render(prompt: ChatPrompt, signal?: AbortSignal): Promise<Int32Array>;
  /**
   * The ids that new messages add behind the model's turn, up to where the model goes on. Null if they cannot be
   * told apart from the turn before them.
   */
  renderAdded(added: AddedMessages, signal?: AbortSignal): Promise<Int32Array | null>;
  /** Whether a variable of this value may change what is rendered. */
  reads(variable: string, value: unknown): boolean;
  /** How engines may write a token; empty: not known here. */
  tokenTexts(id: number): readonly string[];
}

/** Messages behind an answer of the model. */
export interface AddedMessages extends Omit<ChatPrompt, "messages"> {
  /** The answer; templates look at its tool calls. */
  readonly after: ChatMessage;
  readonly messages: readonly ChatMessage[];
  /** The last token that the model sampled: usually the one that ends its turn, which is then not added again. */
  readonly last: number;
}

/**
 * A short conversation with the messages at its end, and marks in the answer before them, for its text and for the
 * arguments of each call. It stands for the real one, because templates rewrite earlier turns: the difference of two
 * renderings of the whole is not what was added.
 */
export function withMark(
  { after, messages, tools, variables }: AddedMessages,
  mark: string,
): ChatPrompt {
  const tool_calls = after.tool_calls?.map((call) => {
    return { ...call, function: { name: call.function.name, arguments: { mark } } };
  });
  const answer: ChatMessage = {
    role: "assistant",
    content: mark,
    ...(tool_calls === undefined ? {} : { tool_calls }),
  };
  return { tools, variables, messages: [{ role: "user", content: "b" }, answer, ...messages] };
}

/** The same messages behind the last one of the answer's calls. */
export function withLastCall(added: AddedMessages): AddedMessages {
  const { after } = added;
  const tool_calls = after.tool_calls?.slice(-1);
  return tool_calls === undefined ? added : { ...added, after: { ...after, tool_calls } };
}

/** A request without variables that change nothing for its template: agents change their effort in the middle. */
export function promptOf<Prompt extends ChatPrompt>(
  prompt: Prompt,
  renderer: Pick<Renderer, "reads">,
): Prompt {
  const read = Object.entries(prompt.variables).filter(([name, value]) =>
    renderer.reads(name, value),
  );
  return { ...prompt, variables: Object.fromEntries(read) };
}

/** @param why in the words of the template */
export function cannotRender(why: string, cause?: unknown): GatewayError {
  const message = `The model's chat template cannot render this conversation: ${why}`;
  return new GatewayError("not_supported_by_engine", message, { param: "messages", cause });
}
