import { type ChatTranslation, endpointsByName } from "@proj/model-apis";
import { isJsonObject } from "@proj/model-apis/json";
import { describe, expect, test } from "vitest";
import { Continuity, type PromptOrigin } from "../../src/prompts/continuity/continuity.ts";
import { wholePrompt } from "../../src/prompts/continuity/turn.ts";
import { type Vocabulary, vocabularies } from "./vocabularies.ts";

// Agents that send their history back in another form, in each API and with real vocabularies.

type Items = readonly unknown[];

const [qwen] = vocabularies;
if (qwen === undefined) throw new Error("no vocabulary");

interface Dialect {
  readonly chat: ChatTranslation | null;
  readonly history: string | null;
  said(text: string): unknown;
  /** Results of calls, as one list of items. */
  results(ids: readonly string[]): Items;
}

const userText = (content: string) => ({ role: "user", content });
const dialects: Readonly<Record<string, Dialect>> = {
  chat_completions: {
    ...endpointsByName.chat_completions,
    said: userText,
    results: (ids) => ids.map((id) => ({ role: "tool", tool_call_id: id, content: `${id} done` })),
  },
  responses: {
    ...endpointsByName.responses,
    said: userText,
    results: (ids) =>
      ids.map((id) => ({ type: "function_call_output", call_id: id, output: `${id} done` })),
  },
  messages: {
    ...endpointsByName.messages,
    said: userText,
    results: (ids) => {
      const content = ids.map((id) => ({
        type: "tool_result",
        tool_use_id: id,
        content: `${id} done`,
      }));
      return [{ role: "user", content }];
    },
  },
  generate_content: {
    ...endpointsByName.generate_content,
    said: (text) => ({ role: "user", parts: [{ text }] }),
    results: (ids) => {
      const parts = ids.map((id) => ({
        functionResponse: { id, name: "press", response: { output: `${id} done` } },
      }));
      return [{ role: "user", parts }];
    },
  },
};

/** A value with each member of its objects changed; undefined removes one. */
function changed(value: unknown, change: (name: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => changed(each, change));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [
    name,
    changed(change(name, each), change),
  ]);
  return Object.fromEntries(members.filter(([, each]) => each !== undefined));
}
const isThinking = (item: unknown): boolean =>
  isJsonObject(item) &&
  (item.type === "reasoning" || item.type === "thinking" || item.thought === true);
const without = (items: unknown): unknown =>
  Array.isArray(items) ? items.filter((item) => !isThinking(item)) : items;
const reversed = (given: unknown): unknown =>
  isJsonObject(given) ? Object.fromEntries(Object.entries(given).reverse()) : given;

/** What an agent makes of the model's answers. */
const habits: Readonly<Record<string, (answer: Items) => Items>> = {
  "sends back what it got": (answer) => answer,
  "trims text": (answer) =>
    changed(answer, (name, value) =>
      (name === "text" || name === "content") && typeof value === "string" ? value.trim() : value,
    ) as Items,
  "drops thinking": (answer) =>
    changed(without(answer), (name, value) =>
      name.startsWith("reasoning") ? undefined : without(value),
    ) as Items,
  "writes thinking into the text": (answer) =>
    changed(without(answer), (name, value) => {
      if (name.startsWith("reasoning")) return undefined;
      const isText = (name === "text" || name === "content") && typeof value === "string";
      return isText ? `<think>\nHm.\n</think>\n\n${value}` : without(value);
    }) as Items,
  "sends each part as a message": (answer) =>
    answer.flatMap((item) => {
      const { parts, content } = item as { parts?: Items; content?: unknown };
      if (parts !== undefined) return parts.map((part) => ({ role: "model", parts: [part] }));
      if (!Array.isArray(content) || content.length < 2) return [item];
      return content.map((block) => ({ role: "assistant", content: [block] }));
    }),
  "writes arguments again": (answer) =>
    changed(answer, (name, value) => {
      if (name === "arguments") return JSON.stringify(reversed(JSON.parse(String(value))), null, 2);
      return name === "input" || name === "args" ? reversed(value) : value;
    }) as Items,
};

/** Each of these texts in its value replaced by another one. */
const replacedIn = (items: unknown, ids: readonly string[], name: (at: number) => string) =>
  ids.reduce<unknown>(
    (said, id, at) => JSON.parse(JSON.stringify(said).replaceAll(`"${id}"`, `"${name(at)}"`)),
    items,
  );
const numbered: Naming = (items, ids, turn) => replacedIn(items, ids, (at) => `c${turn}.${at}`);

type Naming = (items: Items, ids: readonly string[], turn: number) => unknown;

/** What an agent makes of the ids of calls. */
const namings: Readonly<Record<string, Naming>> = {
  "numbers calls itself": numbered,
  "cuts ids off": (items, ids) => replacedIn(items, ids, () => "call"),
  "calls them by the tool": (items) =>
    changed(items, (name, value) => (/(^|_)id$/.test(name) ? "press" : value)),
};

/** An agent at work. */
class Conversation {
  readonly items: unknown[];
  readonly #dialect: Dialect;
  readonly #vocabulary: Vocabulary;
  readonly #turns = new Continuity({ thinking: "kept" });
  #asked = 0;
  /** The prompt and the tokens of the latest answer. */
  before: number[] = [];

  constructor(dialect: Dialect, vocabulary: Vocabulary) {
    this.#dialect = dialect;
    this.#vocabulary = vocabulary;
    this.items = [dialect.said("Press two keys.")];
  }

  async ask(callsTools: boolean) {
    const { chat, history } = this.#dialect;
    if (chat === null || history === null) throw new Error("not for engines");
    const made = await this.#turns.prompt(
      chat.read({ [history]: this.items }),
      this.#vocabulary.renderer,
    );
    this.#asked += 1;
    const request_id = `r${this.#asked}`;
    const ids = callsTools ? [0, 1].map((call) => `call_${request_id}_${call}`) : [];
    const live = chat.open({ request_id, model: "m", created: 1, request: {}, prompt_tokens: 1 });
    live.begin();
    live.piece({ kind: "reasoning", text: "Hm.\n" });
    live.piece({ kind: "text", text: ` Répertoire ${this.#asked}. \n` });
    for (const [call, id] of ids.entries()) {
      live.piece({ kind: "tool_call", call, id, name: "press" });
      live.piece({ kind: "arguments", call, text: `{"key":"${call}", "n": 1.0}` });
    }
    const usage = { prompt_tokens: 1, cached_tokens: 0, completion_tokens: 1, reasoning_tokens: 0 };
    live.end({ finish: callsTools ? "tool_calls" : "stop", stop_sequence: null, usage });
    const given = chat.givenBack(live.whole());
    // In pieces that the vocabulary itself would not make of the text.
    const { encode, stop } = this.#vocabulary;
    const sampled = [...`Hm. Répertoire ${this.#asked}`].flatMap(encode).concat(stop);
    const answer = chat.read({ [history]: given }).messages.at(-1) ?? {
      role: "assistant",
      content: "",
    };
    this.#turns.add(request_id, made, answer, Int32Array.from(sampled), null);
    const prompt = [...wholePrompt(made.ids)];
    const isContinued = prompt.slice(0, this.before.length).join() === this.before.join();
    this.before = [...prompt, ...sampled];
    return { origin: made.origin, isContinued, given, ids };
  }
}

const isContinuedFrom = (step: string): PromptOrigin => ({ made: "continued", step });

// Of the templates only Qwen's takes parallel calls.
describe.each(Object.entries(dialects))("%s", (_, dialect) => {
  test("calls under other ids that may be two answers' are neither's", async () => {
    const agent = new Conversation(dialect, qwen);
    await agent.ask(true);
    const { given: answer, ids } = await agent.ask(true);
    const given = changed(answer, (name, value) =>
      (name === "text" || name === "content") && typeof value === "string" ? "Well." : value,
    ) as Items;
    agent.items.push(...(numbered([...given, ...dialect.results(ids)], ids, 0) as Items));
    const { origin } = await agent.ask(false);
    expect(origin).toEqual({ made: "rendered", reason: "ambiguous_parent" });
  });
});

describe.each(vocabularies)("$name", (vocabulary) => {
  const callsTools = vocabulary === qwen;

  describe.each(Object.entries(dialects))("%s", (_, dialect) => {
    test.each(Object.entries(habits))("an agent that %s continues", async (_, habit) => {
      const agent = new Conversation(dialect, vocabulary);
      for (let turn = 0; turn < 4; turn += 1) {
        const isCall = callsTools && turn % 2 === 0;
        const { origin, isContinued, given, ids } = await agent.ask(isCall);
        if (turn > 0) expect([origin, isContinued]).toEqual([isContinuedFrom(`r${turn}`), true]);
        // In the other order than they were called in.
        const next = isCall ? dialect.results(ids.toReversed()) : [dialect.said(`go on ${turn}`)];
        agent.items.push(...habit(given), ...next);
      }
    });

    test.each(Object.entries(namings))("an agent that %s continues", async (_, name) => {
      const agent = new Conversation(dialect, vocabulary);
      for (let turn = 0; turn < 4; turn += 1) {
        const isCall = callsTools && turn % 2 === 0;
        const { origin, given, ids } = await agent.ask(isCall);
        if (turn > 0) expect(origin).toEqual(isContinuedFrom(`r${turn}`));
        const next = isCall ? dialect.results(ids) : [dialect.said(`go on ${turn}`)];
        agent.items.push(...(name([...given, ...next], ids, turn) as Items));
      }
    });

    test("an agent that asks twice continues the answer that it kept", async () => {
      const agent = new Conversation(dialect, vocabulary);
      await agent.ask(callsTools);
      const { given, ids } = await agent.ask(callsTools);
      agent.items.push(...given, ...(callsTools ? dialect.results(ids) : [dialect.said("And?")]));
      expect((await agent.ask(false)).origin).toEqual(isContinuedFrom("r2"));
    });

    test("an agent that edits its history or sums it up breaks there, with the reason", async () => {
      const agent = new Conversation(dialect, vocabulary);
      for (const text of ["One.", "Two.", "Three."])
        agent.items.push(...(await agent.ask(false)).given, dialect.said(text));
      const items = structuredClone(agent.items);
      const askWith = async (edited: Items): Promise<PromptOrigin> => {
        agent.items.splice(0, agent.items.length, ...edited);
        return (await agent.ask(false)).origin;
      };
      const rendered = (reason: string) => ({ made: "rendered", reason });
      const replaced = (from: string, to: string): Items =>
        JSON.parse(JSON.stringify(items).replaceAll(from, to));
      expect(await askWith(replaced("Répertoire 1.", "Nothing."))).toEqual(
        rendered("history_rewritten"),
      );
      expect(await askWith(replaced("Two.", "Due."))).toEqual(rendered("history_rewritten"));
      expect(await askWith(replaced("Répertoire 2.", "Nothing."))).toEqual(
        rendered("history_rewritten"),
      );
      expect(await askWith(replaced("Press two keys.", "Press."))).toEqual(
        rendered("history_rewritten"),
      );
      // Another question behind an earlier answer is a branch.
      const end = items.findIndex((item) => JSON.stringify(item).includes("Two."));
      expect(await askWith([...items.slice(0, end), dialect.said("Due.")])).toEqual(
        isContinuedFrom("r2"),
      );
      expect(await askWith([items[0], dialect.said("So far: two keys.")])).toEqual(
        rendered("compacted"),
      );
      expect(await askWith([dialect.said("So far: one key."), ...items.slice(end + 1)])).toEqual(
        rendered("compacted"),
      );
    });
  });
});
