import type { ChatMessage } from "@proj/model-apis";
import type { ChatPrompt, Renderer } from "../rendering/renderer.ts";
import { explainBreak, type RenderReason } from "./explain-break.ts";
import {
  type ConversationKeys,
  conversationKeys,
  type KnownConversation,
  keyBehind,
  toolsKey,
} from "./message-keys.ts";
import { OwnCalls } from "./own-calls.ts";
import { haveSameIds, type PromptIds, promptIds, type Turn } from "./turn.ts";

/** How a prompt was made. */
export type PromptOrigin =
  | { readonly made: "continued"; readonly step: string }
  /** Without a reason, there was nothing to continue. */
  | { readonly made: "rendered"; readonly reason: RenderReason | null };

/** A prompt for the engine, with what its answer needs to be continued. */
export interface MadePrompt {
  readonly ids: PromptIds;
  readonly origin: PromptOrigin;
  readonly keys: ConversationKeys;
  readonly tools: string;
  readonly agent: string | null;
}

/** Who asks, and until when. */
export interface PromptOptions {
  /** The subagent's id. Breaks are explained by its own turns; any turn may be continued. @default null */
  readonly agent?: string | null;
  readonly signal?: AbortSignal;
}

/** A turn as a row keeps it. */
export interface RecordedTurn {
  readonly request_id: string;
  readonly request: ChatPrompt;
  readonly agent: string | null;
  readonly parent: Turn | null;
  readonly added: Int32Array;
  readonly answer: ChatMessage;
  readonly sampled: Int32Array;
  readonly cut: string | null;
}

export interface ContinuityOptions {
  /** `kept`: earlier thinking stays where it was sampled. `as_template`: it goes when the template drops it. */
  readonly thinking: "kept" | "as_template";
}

/** The conversations of one session with one model. */
export class Continuity {
  readonly #options: ContinuityOptions;
  /** By the key of their whole conversation, answer included. */
  readonly #turns = new Map<string, Turn[]>();
  /** By the key of the conversation that they answered. */
  readonly #answered = new Map<string, Turn[]>();
  /** Keys of all answers with the largest number of messages before them. */
  readonly #answers = new Map<string, number>();
  readonly #calls = new OwnCalls({
    isAnswer: (key) => this.#answers.has(key),
    behind: (beginning) => this.#answered.get(beginning) ?? [],
  });
  /** The latest turn last; breaks are explained by these. */
  readonly #recent: Turn[] = [];
  /** Ids and texts held, in bytes. */
  bytes = 0;

  constructor(options: ContinuityOptions) {
    this.#options = options;
  }

  /** Makes the prompt of a request: the ids of the turn that it continues and those of its new messages. */
  async prompt(
    request: ChatPrompt,
    renderer: Renderer,
    { agent = null, signal }: PromptOptions = {},
  ): Promise<MadePrompt> {
    const keys = conversationKeys(request.messages, this.#calls);
    const tools = toolsKey(request);
    const rendered = async (reason: RenderReason | null): Promise<MadePrompt> => {
      const ids = promptIds(null, await renderer.render(request, signal));
      return { ids, origin: { made: "rendered", reason }, keys, tools, agent };
    };
    const found = this.#find(request, keys, tools, agent);
    if (!("parent" in found)) return rendered(found.reason);
    const { parent, added } = found;
    const ids = await renderer.renderAdded(
      {
        after: parent.answer,
        messages: added,
        tools: request.tools,
        variables: request.variables,
        last: parent.sampled.at(-1) ?? -1,
      },
      signal,
    );
    if (ids === null) return rendered("template");
    const origin: PromptOrigin = { made: "continued", step: parent.request_id };
    return { ids: promptIds(parent, ids), origin, keys, tools, agent };
  }

  /** Remembers an answer, so that a later request can continue it. */
  add(
    request_id: string,
    { ids, keys, tools, agent }: MadePrompt,
    answer: ChatMessage,
    sampled: Int32Array,
    cut: string | null,
  ): Turn {
    const { messages } = keys;
    const text = sampled.join(",");
    const turn: Turn = {
      ...{ request_id, prompt: ids, sampled, text, answer, cut, messages, tools, agent },
    };
    const beginning = keys.beginnings.at(-1) ?? "";
    const { key: given, beginning: key } = keyBehind(beginning, answer);
    this.#answers.set(given, Math.max(messages.length, this.#answers.get(given) ?? 0));
    this.#answered.set(beginning, [...(this.#answered.get(beginning) ?? []), turn]);
    this.#turns.set(key, [...(this.#turns.get(key) ?? []), turn]);
    this.#recent.push(turn);
    if (this.#recent.length > maxRecent) this.#dropKeys(this.#recent.shift());
    this.bytes +=
      (ids.added.length + sampled.length) * bytesOfId + (messages.length + 2) * bytesOfKey;
    return turn;
  }

  /** Each turn of a long conversation has the keys of all messages before it. */
  #dropKeys(turn: Turn | undefined): void {
    if (turn === undefined) return;
    this.bytes -= turn.messages.length * bytesOfKey;
    turn.messages = [];
  }

  /** Takes over a turn from a record, so that a later request can continue it. */
  restore({ request_id, request, agent, parent, added, answer, sampled, cut }: RecordedTurn): Turn {
    const ids = promptIds(parent, added);
    const keys = conversationKeys(request.messages, this.#calls);
    const origin = { made: "rendered", reason: null } as const;
    const made: MadePrompt = { ids, origin, keys, tools: toolsKey(request), agent };
    return this.add(request_id, made, answer, sampled, cut);
  }

  #find(
    request: ChatPrompt,
    { own, messages, beginnings, ambiguous }: KnownConversation,
    tools: string,
    agent: string | null,
  ):
    | { readonly parent: Turn; readonly added: readonly ChatMessage[] }
    | { readonly reason: RenderReason | null } {
    // The model is to go on with a turn that it did not begin.
    if (request.messages.at(-1)?.role === "assistant") return { reason: "prefill" };
    for (let length = messages.length - 1; length > 0; length -= 1) {
      if (length === ambiguous) return { reason: "ambiguous_parent" };
      const turns = this.#turns.get(beginnings[length] ?? "");
      if (turns === undefined) continue;
      const [parent, ...others] = turns.filter(({ cut }) => cut === null);
      if (parent === undefined) return { reason: "truncated_parent" };
      if (!others.every((other) => haveSameIds(other, parent)))
        return { reason: "ambiguous_parent" };
      if (parent.tools !== tools) return { reason: "tools_changed" };
      const added = own.slice(length);
      const isAnswer = (at: number): boolean =>
        this.#answers.has(messages[at] ?? "") || this.#answered.has(beginnings[at] ?? "");
      // An answer of ours behind another message, or another answer in its place.
      if (added.some(({ role }, at) => role === "assistant" && isAnswer(length + at)))
        return { reason: "history_rewritten" };
      if (this.#dropsThinking(parent, added)) return { reason: "thinking_stripped" };
      return { parent, added };
    }
    const recent = this.#recent.filter((turn) => turn.agent === agent);
    return { reason: explainBreak(recent, request, messages, this.#answers) };
  }

  /** Templates that drop thinking do so when the user speaks again. */
  #dropsThinking({ answer }: Turn, added: readonly ChatMessage[]): boolean {
    if (this.#options.thinking === "kept" || (answer.reasoning_content ?? "") === "") return false;
    return added.some(({ role }) => role === "user");
  }
}

const maxRecent = 64;
/** An id in memory and its text. */
const bytesOfId = 11;
const bytesOfKey = 48;
