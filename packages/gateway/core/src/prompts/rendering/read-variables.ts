import type { ChatPrompt } from "./renderer.ts";

type Conversation = Omit<ChatPrompt, "variables">;

const said: Conversation = { tools: null, messages: [{ role: "user", content: "a" }] };
const name = "f";
const call = {
  id: "call00001",
  type: "function",
  function: { name, arguments: { a: 1 } },
} as const;
const worked: Conversation = {
  tools: [
    { type: "function", function: { name, description: "b", parameters: { type: "object" } } },
  ],
  messages: [
    { role: "system", content: "c" },
    { role: "user", content: "d" },
    { role: "assistant", content: "", reasoning_content: "e", tool_calls: [call] },
    { role: "tool", content: "g", tool_call_id: call.id },
    { role: "assistant", content: "h", reasoning_content: "i" },
    { role: "user", content: "j" },
  ],
};

/** Agents may send any: those behind this many, and long ones, count as read. */
const maxKnown = 1_000;
const maxLength = 200;

/** Tells which values of variables are a template's own defaults, by two conversations that have all kinds of messages. */
export class ReadVariables {
  readonly #text: (prompt: ChatPrompt) => string;
  readonly #known = new Map<string, boolean>();

  /** @param text throws where the template refuses */
  constructor(text: (prompt: ChatPrompt) => string) {
    this.#text = text;
  }

  /** Whether this value may change what is rendered. */
  has(variable: string, value: unknown): boolean {
    const key = JSON.stringify([variable, value]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (key.length > maxLength || this.#known.size >= maxKnown) return true;
    const isRead = [said, worked].some(
      (conversation) => !this.#isSame(conversation, { [variable]: value }),
    );
    this.#known.set(key, isRead);
    return isRead;
  }

  #isSame(conversation: Conversation, variables: ChatPrompt["variables"]): boolean {
    try {
      const plain = this.#text({ ...conversation, variables: {} });
      return this.#text({ ...conversation, variables }) === plain;
    } catch {
      return false;
    }
  }
}
