import type { ChatMessage } from "@proj/model-apis";
import { endOfTurn } from "./end-of-turn.ts";
import { ReadVariables } from "./read-variables.ts";
import {
  type AddedMessages,
  type ChatPrompt,
  cannotRender,
  type Renderer,
  withLastCall,
  withMark,
} from "./renderer.ts";
import { takenForms } from "./taken-forms.ts";
import { templateMessage } from "./template-messages.ts";
import type { TokenizerFolder } from "./tokenizer-folder.ts";

/** Not in any conversation, so that it is found where it was put. */
const mark = "\u27e6mark\u27e7";

/** Renders with the model's own template and vocabulary. */
export class LocalRenderer implements Renderer {
  readonly #folder: TokenizerFolder;
  readonly #variables = new ReadVariables((prompt) => this.text(prompt));
  /** The template leaves out texts that are not parts of a message. */
  #takesParts = false;

  constructor(folder: TokenizerFolder) {
    this.#folder = folder;
    const said: ChatPrompt = {
      messages: [{ role: "user", content: mark }],
      tools: null,
      variables: {},
    };
    const isLeftOut = this.#behindMark(said, true) === null;
    this.#takesParts = true;
    this.#takesParts = isLeftOut && this.#behindMark(said, true) !== null;
  }

  async render(prompt: ChatPrompt): Promise<Int32Array> {
    return Int32Array.from(this.#folder.encode(this.text(prompt)));
  }

  async renderAdded(added: AddedMessages): Promise<Int32Array | null> {
    // Some templates write one call a turn, and refuse several.
    for (const own of [added, withLastCall(added)]) {
      const prompt = withMark(own, mark);
      const behind = this.#behindMark(prompt, true);
      if (behind === null) continue;
      const answer = { ...prompt, messages: prompt.messages.slice(0, 2) };
      const closing = (): string | null => this.#behindMark(answer, false);
      const { special } = this.#folder;
      const end = endOfTurn(behind, special.get(added.last), special, closing);
      if (end === null) return null;
      const text = behind.slice(end.at);
      return added.messages.every(isIn(text)) ? this.#encodeBehind(end.token, text) : null;
    }
    return null;
  }

  reads(variable: string, value: unknown): boolean {
    return this.#folder.reads(variable) && this.#variables.has(variable, value);
  }

  tokenTexts(id: number): readonly string[] {
    return this.#folder.textsOf(id);
  }

  /**
   * The conversation as the model reads it.
   * @throws GatewayError not_supported_by_engine: templates refuse roles out of order, for example
   */
  text(prompt: ChatPrompt): string {
    return this.#textOf(takenForms(prompt, true), true);
  }

  #textOf(forms: readonly ChatPrompt[], add_generation_prompt: boolean): string {
    let refusal: unknown;
    for (const form of forms) {
      try {
        return this.#write(form, add_generation_prompt);
      } catch (cause) {
        // Nested too deeply, which is not the template's fault.
        if (cause instanceof RangeError) throw cause;
        refusal ??= cause;
      }
    }
    throw cannotRender(refusal instanceof Error ? refusal.message : String(refusal), refusal);
  }

  #write({ messages, tools, variables }: ChatPrompt, add_generation_prompt: boolean): string {
    const { specialTokens } = this.#folder;
    return this.#folder.render({
      ...specialTokens,
      ...variables,
      messages: messages.map((message) => templateMessage(message, this.#takesParts)),
      tools,
      documents: null,
      add_generation_prompt,
    });
  }

  /** The text behind the last mark. Null: a template may refuse the short conversation, and not the whole one. */
  #behindMark(prompt: ChatPrompt, add_generation_prompt: boolean): string | null {
    try {
      const text = this.#textOf(takenForms(prompt, false), add_generation_prompt);
      const at = text.lastIndexOf(mark);
      return at < 0 ? null : text.slice(at + mark.length);
    } catch {
      return null;
    }
  }

  /** A vocabulary may split a text in another way behind a special token, and drop white space there. */
  #encodeBehind(token: string, text: string): Int32Array {
    const { encode, special } = this.#folder;
    const [first = -1, ...rest] = encode(token + text);
    const isToken = token !== "" && special.get(first) === token;
    return Int32Array.from(isToken ? rest : encode(text));
  }
}

/** Some templates move system texts to the beginning of a conversation. */
const isIn =
  (text: string) =>
  ({ role, content }: ChatMessage): boolean =>
    role !== "system" || text.includes(String(content).trim());
