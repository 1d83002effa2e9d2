import type { ChatMessage } from "@proj/model-apis";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Continuity } from "../../src/prompts/continuity/continuity.ts";
import { promptIds, promptTexts, wholePrompt } from "../../src/prompts/continuity/turn.ts";
import type { ChatPrompt } from "../../src/prompts/rendering/renderer.ts";
import { type Vocabulary, vocabularies } from "./vocabularies.ts";

const kept = { thinking: "kept" } as const;
const press = {
  type: "function",
  function: {
    name: "press",
    parameters: { type: "object", properties: { key: { type: "string" } } },
  },
};
const promptOf = (messages: readonly ChatMessage[]): ChatPrompt => {
  return { messages, tools: [press], variables: {} };
};
const say = (role: ChatMessage["role"], content: string): ChatMessage => ({ role, content });
const called = (id: string, content = ""): ChatMessage => {
  const call = { name: "press", arguments: { key: "a" } };
  return { role: "assistant", content, tool_calls: [{ id, type: "function", function: call }] };
};
const result = (tool_call_id: string, content: string): ChatMessage => {
  return { role: "tool", tool_call_id, content };
};
const [qwen] = vocabularies;
if (qwen === undefined) throw new Error("no vocabulary");

/** A session that answers each request with the given tokens. */
function sessionWith(vocabulary: Vocabulary, continuity = new Continuity(kept)) {
  let count = 0;
  const held: number[][] = [];
  return {
    held,
    ask: async (
      messages: readonly ChatMessage[],
      answer: ChatMessage,
      {
        sampled = [...vocabulary.encode(String(answer.content)), vocabulary.stop],
        cut = null as string | null,
        prompt = promptOf(messages),
        agent = null as string | null,
      } = {},
    ) => {
      const made = await continuity.prompt(prompt, vocabulary.renderer, { agent });
      count += 1;
      continuity.add(`request ${count}`, made, answer, Int32Array.from(sampled), cut);
      const ids = [...wholePrompt(made.ids)];
      held.push([...ids, ...sampled]);
      expect(promptTexts(made.ids).join(",")).toBe(ids.join(","));
      return { ...made.origin, ids };
    },
  };
}

test.each(vocabularies)(
  "$name: sampled tokens stay as they are over many turns",
  async (vocabulary) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ unit: "grapheme", minLength: 1 }), fc.boolean()), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.infiniteStream(fc.integer({ min: 1, max: 6 })),
        async (turns, cuts) => {
          const session = sessionWith(vocabulary);
          const messages = [
            say("system", "Be careful."),
            say("user", "Find the répertoire of 数字."),
          ];
          const usesTools = vocabulary.name === "qwen3";
          for (const [index, [text, isCall]] of turns.entries()) {
            // Cut at random places, so that the split is not the vocabulary's own.
            const sampled: number[] = [];
            for (let at = 0; at < text.length; ) {
              const size = cuts.next().value ?? 1;
              sampled.push(...vocabulary.encode(text.slice(at, at + size)));
              at += size;
            }
            const answer =
              isCall && usesTools ? called(`call ${index}`, text) : say("assistant", text);
            const origin = await session.ask(messages, answer, {
              sampled: [...sampled, vocabulary.stop],
            });
            expect(origin.made).toBe(index === 0 ? "rendered" : "continued");
            const before = session.held.at(-2) ?? [];
            expect(origin.ids.slice(0, before.length)).toEqual(before);
            const back = { ...answer, content: text.trim() };
            messages.push(
              back,
              isCall && usesTools ? result(`call ${index}`, "42") : say("user", `go on ${index}`),
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  },
);

test.each(vocabularies)(
  "$name: what is added is the end of the whole rendering",
  async ({ renderer, encode, stop }) => {
    const answer = say("assistant", "I looked.");
    const conversation = [say("user", "Look."), answer, say("user", "And?")];
    const added = await renderer.renderAdded({
      after: answer,
      messages: conversation.slice(2),
      tools: null,
      variables: {},
      last: stop,
    });
    const whole = renderer.text({ messages: conversation, tools: null, variables: {} });
    const end = whole.slice(whole.lastIndexOf("I looked.") + "I looked.".length);
    expect([stop, ...(added ?? [])]).toEqual(encode(end));
  },
);

test("an answer without its end is closed by the template", async () => {
  const session = sessionWith(qwen);
  const first = [say("user", "Look.")];
  await session.ask(first, say("assistant", "I"), { sampled: qwen.encode("I") });
  const next = await session.ask(
    [...first, say("assistant", "I"), say("user", "And?")],
    say("assistant", "x"),
  );
  const before = session.held[0] ?? [];
  expect(next.ids.slice(0, before.length + 1)).toEqual([...before, qwen.stop]);
});

const beginning = [say("system", "You press keys."), say("user", "Press a.")];
const given = [...beginning, called("c1", "I press."), result("c1", "done")];

test.each<[string, readonly ChatMessage[]]>([
  ["trims the text", [...beginning, called("c1", " I press.\n"), result("c1", "done")]],
  ["drops the text beside a call", [...beginning, called("c1"), result("c1", "done")]],
  [
    "sends the arguments as text",
    [
      ...beginning,
      {
        ...called("c1"),
        tool_calls: [
          { id: "c1", type: "function", function: { name: "press", arguments: '{ "key":"a"}' } },
        ],
      },
      result("c1", "done"),
    ],
  ],
  [
    "sends thinking back",
    [...beginning, { ...called("c1"), reasoning_content: "Hm." }, result("c1", "done")],
  ],
])("an agent that %s continues", async (_name, messages) => {
  const session = sessionWith(qwen);
  await session.ask(beginning, { ...called("c1", "I press."), reasoning_content: "Hm, a." });
  expect(await session.ask(messages, say("assistant", "Done."))).toMatchObject({
    made: "continued",
    step: "request 1",
  });
});

test("results of parallel calls may change their order from request to request", async () => {
  const session = sessionWith(qwen);
  const two = {
    ...called("c1"),
    tool_calls: [...(called("c1").tool_calls ?? []), ...(called("c2").tool_calls ?? [])],
  };
  await session.ask(beginning, two);
  await session.ask([...beginning, two, result("c1", "1"), result("c2", "2")], called("c3"));
  const again = [
    ...beginning,
    two,
    result("c2", "2"),
    result("c1", "1"),
    called("c3"),
    result("c3", "3"),
  ];
  expect(await session.ask(again, say("assistant", "x"))).toMatchObject({ step: "request 2" });
});

test("a request that is sent again has the same prompt", async () => {
  const session = sessionWith(qwen);
  await session.ask(beginning, called("c1", "I press."), {
    sampled: [...qwen.encode("I "), ...qwen.encode("press."), qwen.stop],
  });
  const one = await session.ask(given, say("assistant", "x"));
  const other = await session.ask(given, say("assistant", "y"));
  expect(other).toEqual(one);
});

test("a conversation that begins in the same way again has nothing to continue", async () => {
  const session = sessionWith(qwen);
  await session.ask(beginning, called("c1"));
  expect(await session.ask(beginning, called("c2"))).toMatchObject({ reason: null });
  await session.ask([...beginning, called("c2"), result("c2", "done")], called("c3"));
  expect(await session.ask(beginning, called("c4"))).toMatchObject({ reason: null });
});

test("each of several conversations continues its own", async () => {
  const session = sessionWith(qwen);
  const other = [say("system", "You press keys."), say("user", "Count to three.")];
  await session.ask(beginning, called("c1"));
  expect(await session.ask(other, called("s1"))).toMatchObject({ made: "rendered", reason: null });
  await session.ask([...other, called("s1"), result("s1", "one")], called("s2"));
  const back = [...beginning, called("c1"), result("c1", "done")];
  expect(await session.ask(back, say("assistant", "x"))).toMatchObject({ step: "request 1" });
  const fork = [...other, called("s1"), result("s1", "two")];
  expect(await session.ask(fork, say("assistant", "x"))).toMatchObject({ step: "request 2" });
});

test.each<[string, readonly ChatMessage[]]>([
  [
    "history_rewritten",
    [
      say("system", "You press keys."),
      say("user", "Press a."),
      say("assistant", "I do not."),
      say("user", "?"),
    ],
  ],
  ["system_changed", [say("system", "You press."), ...given.slice(1)]],
  [
    "compacted",
    [say("system", "You press keys."), say("user", "Press a."), say("user", "Summary: pressed a.")],
  ],
  ["prefill", [...given, say("assistant", "So")]],
])("%s is the reason for a break", async (reason, messages) => {
  const session = sessionWith(qwen);
  await session.ask(beginning, called("c1", "I press."));
  await session.ask(given, called("c2"));
  await session.ask([...given, called("c2"), result("c2", "done")], say("assistant", "Done."));
  expect(await session.ask(messages, say("assistant", "x"))).toMatchObject({
    made: "rendered",
    reason,
  });
});

test("a summary is known wherever a program puts it", async () => {
  const [system] = beginning;
  if (system === undefined) throw new Error("no system text");
  const summary = "Key a has been pressed, key b has not.";
  const pressed = [...given, called("c2"), result("c2", "done")];
  const summarised = [
    // In a user's text, without the tags that the model wrote around it.
    [system, say("user", `Go on from this summary:\n${summary}\n`)],
    // As the model's own answer to another question than the one that it answered.
    [system, say("user", "What was done?"), say("assistant", summary), say("user", "Go on.")],
    // Before the latest answer.
    [system, say("user", "So far, a key was pressed."), called("c2"), result("c2", "done")],
  ];
  for (const messages of summarised) {
    const session = sessionWith(qwen);
    await session.ask(beginning, called("c1"));
    await session.ask(given, called("c2"));
    await session.ask(pressed, called("c3"));
    const flat = [say("system", "You sum up."), say("user", `${JSON.stringify(pressed)} Sum up.`)];
    const answer =
      messages.length === 2
        ? `<analysis>A long analysis, which nobody gets to see again.</analysis>\n<summary>${summary}</summary>`
        : summary;
    expect(await session.ask(flat, say("assistant", answer))).toMatchObject({ reason: null });
    expect(await session.ask(messages, called("c4"))).toMatchObject({ reason: "compacted" });
    // A program that adds to its first message afterwards has edited it.
    const [user] = messages.slice(1);
    const edited = [
      ...[system, say("user", `${user?.content} Take care.`), ...messages.slice(2)],
      ...[called("c4"), result("c4", "done")],
    ];
    expect(await session.ask(edited, called("c5"))).toMatchObject({ reason: "history_rewritten" });
  }
});

test("a subagent that begins as its agent did has a conversation of its own", async () => {
  const session = sessionWith(qwen);
  const around = [say("system", "You press keys."), say("user", "The folder is /work.")];
  await session.ask([...around, say("user", "Press two keys.")], called("c1"));
  const own = [...around, say("user", "Press one key.")];
  const first = await session.ask(own, called("s1"), { agent: "sub" });
  expect(first).toMatchObject({ made: "rendered", reason: null });
  const next = await session.ask([...own, called("s1"), result("s1", "done")], called("s2"), {
    agent: "sub",
  });
  expect(next).toMatchObject({ made: "continued", step: "request 2" });
});

test("nothing continues an answer that was cut", async () => {
  const session = sessionWith(qwen);
  await session.ask(beginning, called("c1", "I press."), { cut: "length" });
  expect(await session.ask(given, say("assistant", "x"))).toMatchObject({
    reason: "truncated_parent",
  });
  await session.ask(beginning, called("c1", "I press."));
  expect(await session.ask(given, say("assistant", "x"))).toMatchObject({ step: "request 3" });
});

test("equal answers of different tokens are not guessed between", async () => {
  const session = sessionWith(qwen);
  const answer = say("assistant", "I press.");
  const next = [...beginning, answer, say("user", "And?")];
  await session.ask(beginning, answer);
  await session.ask(beginning, answer);
  expect(await session.ask(next, answer)).toMatchObject({ made: "continued" });
  await session.ask(beginning, answer, {
    sampled: [...qwen.encode("I pre"), ...qwen.encode("ss."), qwen.stop],
  });
  expect(await session.ask(next, answer)).toMatchObject({ reason: "ambiguous_parent" });
});

test("other tools are another prompt", async () => {
  const session = sessionWith(qwen);
  await session.ask(beginning, called("c1"));
  const prompt = { ...promptOf(given), tools: [press, press] };
  expect(await session.ask(given, say("assistant", "x"), { prompt })).toMatchObject({
    reason: "tools_changed",
  });
});

test("thinking that the template would drop can be dropped at the price of a break", async () => {
  const answer = { ...say("assistant", "Yes."), reasoning_content: "Hm." };
  const next = [...beginning, say("assistant", "Yes."), say("user", "And?")];
  const session = sessionWith(qwen, new Continuity({ thinking: "as_template" }));
  await session.ask(beginning, answer);
  expect(await session.ask(next, answer)).toMatchObject({ reason: "thinking_stripped" });
});

test("what is held of a conversation grows by as much with each turn", () => {
  const continuity = new Continuity(kept);
  const held = Array.from({ length: 400 }, (_, turn) => {
    const messages = Array.from({ length: 2 * turn + 1 }, (_, at) => `key ${at}`);
    const made = {
      ids: promptIds(null, Int32Array.of(turn)),
      origin: { made: "rendered", reason: null },
      keys: { messages, beginnings: [`${turn}`] },
      ...{ tools: "", agent: null },
    } as const;
    continuity.add(`${turn}`, made, say("assistant", `${turn}.`), Int32Array.of(turn), null);
    return continuity.bytes;
  });
  const [early, late] = [100, 399].map((turn) => (held[turn] ?? 0) - (held[turn - 1] ?? 0));
  expect(late).toBe(early);
});
