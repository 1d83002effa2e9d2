import { describe, expect, it, test } from "vitest";
import { type Split, type Step, sequences } from "../src/index.ts";
import {
  assistant,
  four,
  type Message,
  opening,
  Rollout,
  render,
  splitBetween,
  splitOf,
  stepAt,
  system,
  user,
} from "./rollout.ts";

const seven = assistant("seven");
const more = [...opening, four, user("and 3?")];

describe("the tokens that are shown around a difference", () => {
  const range = (start: number, end: number) =>
    Array.from({ length: end - start }, (_, at) => start + at);
  const split = (prompt_ids: number[], completion_ids = [99, 99, 99]) =>
    sequences([
      stepAt(1, { prompt_ids: range(100, 110), completion_ids: range(110, 130) }),
      stepAt(2, { prompt_ids, completion_ids }),
    ]).sequences[1]?.split;

  it("are eight on each side, of the prompt alone", () => {
    const long = split([...range(100, 115), 4000, ...range(116, 140)]);
    expect(long).toMatchObject({ reason: "retokenized", at_token: 15 });
    expect(long?.expected_ids).toEqual(range(107, 123));
    expect(long?.got_ids).toEqual([...range(107, 115), 4000, ...range(116, 123)]);
    const short = split([...range(100, 103), 4000]);
    expect(short?.expected_ids).toEqual(range(100, 111));
    expect(short?.got_ids).toEqual([...range(100, 103), 4000]);
  });

  it("are none where the prompt ends before any", () => {
    const nothing = { at_token: null, expected_ids: [], got_ids: [] };
    expect(split(range(100, 112), [112, 113])).toMatchObject({
      ...nothing,
      reason: "ambiguous_parent",
    });
  });
});

test.each<[string, Partial<Step>, Partial<Step>]>([
  ["neither", { messages: null }, { messages: null }],
  ["only the later", { messages: null }, {}],
  ["only the earlier", {}, { messages: null }],
])("where messages of %s call are known, only tokens explain a difference", (_, first, second) => {
  const rollout = new Rollout();
  rollout.call(opening, four, { tools: [{ name: "add" }], tool_call_ids: ["c1"], ...first });
  const prompt_ids = render(more).with(render(opening).length, 4000);
  rollout.call(more, seven, { prompt_ids, ...second });
  expect(splitOf(rollout)).toMatchObject({ reason: "retokenized", at_message: null });
});

describe("system_changed", () => {
  const block = (text: string) => ({ type: "text", text });
  const billing = (mark: string) => block(`x-anthropic-billing-header: cch=${mark}`);
  const said = (role: string, ...content: unknown[]): Message => ({ role, content });
  const image = (source: string) => ({ type: "image", source });

  it.each<[string, Message[], Message[], string | null]>([
    ["a system prompt came", [], [system], null],
    [
      "a developer's prompt changed",
      [said("developer", block("a"))],
      [said("developer", block("b"))],
      null,
    ],
    [
      "a text beside the billing block changed",
      [said("system", billing("a"), block("a"))],
      [said("system", billing("b"), block("b"))],
      null,
    ],
    [
      "an image beside the billing block changed",
      [said("system", billing("a"), "text", image("a"))],
      [said("system", billing("b"), "text", image("b"))],
      null,
    ],
    [
      "the role changed with the billing block",
      [said("system", billing("a"))],
      [said("developer", billing("b"))],
      null,
    ],
    [
      "only the billing block changed beside an image",
      [said("system", billing("a"), "text", image("a"))],
      [said("system", billing("b"), "text", image("a"))],
      "billing_block",
    ],
  ])("%s", (_, before, now, detail) => {
    const messages = [user("add 2 and 2"), four, user("and 3?")];
    const split = splitBetween(
      { messages: [...before, user("add 2 and 2")] },
      { messages: [...now, ...messages] },
    );
    expect(split).toMatchObject({ reason: "system_changed", detail });
  });
});

describe("a request with another system prompt", () => {
  const other: Message = { role: "system", content: "explore" };
  const asked = { messages: [...opening, four, user("and 3?")] };

  it.each<[string, Message[]]>([
    ["begins a conversation of its own", [other, user("find the tests")]],
    ["whatever it was given", [other, user("find the tests"), seven, user("which ones?")]],
  ])("%s if it has nothing of an earlier one", (_, messages) => {
    const split = splitBetween(asked, { messages });
    expect(split).toMatchObject({ reason: "first", compared_with: null });
  });

  it.each<[string, Message[]]>([
    ["the task", [other, user("add 2 and 2")]],
    ["an answer", [other, user("so far"), four, user("and 4?")]],
    ["the last message", [other, user("and 3?")]],
  ])("goes on if it has %s", (_, messages) => {
    const split = splitBetween(asked, { messages });
    expect(split).toMatchObject({ reason: "system_changed", compared_with: "s1" });
  });

  it("goes on if an older conversation has it, or it has no message", () => {
    const rollout = new Rollout();
    rollout.call(opening, four);
    rollout.call([user("find the tests")], seven, { prompt_ids: [78] });
    rollout.call([other, user("add 2 and 2")], four, { prompt_ids: [77] });
    expect(splitOf(rollout)?.reason).toBe("system_changed");
    expect(splitBetween({ messages: [system], answer: [] }, { messages: [other] })?.reason).toBe(
      "system_changed",
    );
  });
});

describe("truncated_parent", () => {
  it.each(["length", "max_tokens", "max_output_tokens"])(
    "the answer ended with %s",
    (finish_reason) => {
      const split = splitBetween({ messages: opening, finish_reason }, { messages: more });
      expect(split).toMatchObject({ reason: "truncated_parent", detail: "length" });
    },
  );

  it("the call before was lost, whether or not the agent saw its answer", () => {
    const lost = { status_code: 499, answer: null };
    const cut = { reason: "truncated_parent", detail: "aborted" };
    expect(
      splitBetween({ messages: opening, ...lost }, { messages: [...opening, user("so?")] }),
    ).toMatchObject(cut);
    expect(
      splitBetween({ messages: [system], ...lost }, { messages: [system, user("so?")] }),
    ).toMatchObject(cut);
  });

  it("not if the request does not continue the lost call", () => {
    const lost = { messages: opening, status_code: 499 };
    expect(
      splitBetween(lost, { messages: [system, user("add 3 and 3"), user("so?")] })?.reason,
    ).toBe("history_rewritten");
    const thought = assistant("four", { reasoning_content: "two and two" });
    const asked = (answer: Message) => [...opening, answer, user("and 3?")];
    expect(
      splitBetween({ messages: asked(thought), status_code: 499 }, { messages: asked(four) })
        ?.reason,
    ).toBe("thinking_stripped");
  });
});

describe("what a template changed", () => {
  const called = { tool_call_ids: ["c1"] };
  /** The third call of a conversation, with one token of its prompt changed. */
  const changedAt = (at: number, first: Partial<Step>): Split | undefined => {
    const rollout = new Rollout();
    rollout.call(opening, four, first);
    rollout.call(more, seven);
    const messages = [...more, seven, user("and 9?")];
    rollout.call(messages, four, { prompt_ids: render(messages).with(at, 4000) });
    return splitOf(rollout);
  };
  const answerAt = render(opening).length;
  const end = answerAt + "four".length + 1;

  it("is looked for in the answer that has the first other token", () => {
    expect(changedAt(answerAt, called)?.reason).toBe("tool_call_rerendered");
    expect(changedAt(end - 1, called)?.reason).toBe("tool_call_rerendered");
    expect(changedAt(end, called)?.reason).toBe("retokenized");
    expect(changedAt(answerAt, {})?.reason).toBe("retokenized");
  });

  it("is reasoning if any item of the answer was", () => {
    const answer = [{ type: "reasoning", summary: ["two and two"] }, four];
    const rollout = new Rollout();
    rollout.call(opening, four, { answer });
    rollout.call([...opening, four, user("and 3?")], seven, {
      messages: [...opening, ...answer, user("and 3?")],
      prompt_ids: render(more).with(answerAt, 4000),
    });
    expect(splitOf(rollout)?.reason).toBe("thinking_stripped");
  });

  it("is reasoning if an agent left out what the first request had, wherever the tokens differ", () => {
    const thought = assistant("four", { reasoning_content: "two and two" });
    const asked = (answer: Message) => [...opening, answer, user("and 3?")];
    const split = splitBetween(
      { messages: asked(thought) },
      { messages: [...asked(four), four, user("x")] },
    );
    expect(split).toMatchObject({ reason: "thinking_stripped", at_message: 2 });
  });
});
