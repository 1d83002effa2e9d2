import { describe, expect, it } from "vitest";
import {
  type Asked,
  assistant,
  four,
  type Message,
  opening,
  Rollout,
  render,
  splitBetween,
  splitOf,
  system,
  user,
} from "./rollout.ts";

describe("compacted or rewritten", () => {
  const turns = (...texts: string[]) => [
    system,
    ...texts.map((text, at) => (at % 2 === 0 ? user(text) : assistant(text))),
  ];
  const long = turns(
    "the first question",
    "its answer",
    "the second one",
    "its answer",
    "the third",
  );
  const short = { prompt_ids: [77] };
  const even = { prompt_ids: [77, ...render(long)].slice(0, render(long).length) };
  const late = turns("the first question", "its answer", "so far", "ok", "the third");
  const role = (messages: Message[], at: number, role: string) =>
    messages.with(at, { role, content: "so far" });

  it.each<[string, string, Asked]>([
    [
      "fewer messages are compacted, however long",
      "compacted",
      { messages: turns("so far: ".repeat(30), "ok", "the third") },
    ],
    [
      "an early summary in fewer tokens is",
      "compacted",
      {
        messages: turns("so far", "its answer", "the second one", "its answer", "the third"),
        ...short,
      },
    ],
    [
      "so is one that the system gives",
      "compacted",
      { messages: role(long, 2, "system"), ...short },
    ],
    [
      "not one in as many tokens",
      "history_rewritten",
      {
        messages: turns("so far", "its answer", "the second one", "its answer", "the third"),
        ...even,
      },
    ],
    [
      "nor one that the model gives",
      "history_rewritten",
      { messages: role(long, 2, "assistant"), ...short },
    ],
    ["nor one in the second half", "history_rewritten", { messages: late, ...short }],
  ])("%s", (_, reason, second) => {
    const split = splitBetween({ messages: long }, second);
    expect(split?.reason).toBe(reason);
  });

  const asked = [...opening, four, user("and 3?")];
  const summary = user("what was said so far?");
  it.each<[string, Message[]]>([
    ["repeats all of it", [...asked, summary]],
    ["has a message in place of its last", [...opening, four, summary, assistant("yes"), summary]],
  ])(
    "is not compacted beside a longer request that goes on from the same step and %s",
    (_, other) => {
      const rollout = new Rollout();
      rollout.call(opening, four);
      rollout.call(other, four);
      rollout.call(asked, four);
      expect(splitOf(rollout)).toMatchObject({
        ...{ reason: "history_rewritten", detail: "user", compared_with: "s2" },
      });
    },
  );

  it("tells nothing from the tokens of a call that was lost", () => {
    const second = {
      messages: turns("so far", "ok", "the second one", "its answer", "the third"),
      ...short,
    };
    expect(
      splitBetween({ messages: long, status_code: 499, prompt_ids: null }, second)?.reason,
    ).toBe("history_rewritten");
  });

  it("names the role of what was rewritten, or of what came instead", () => {
    const item: Message = JSON.parse('{ "type": "item", "content": "a" }');
    expect(
      splitBetween(
        { messages: [...opening, item, user("x")] },
        { messages: [...opening, four, user("x")] },
      )?.detail,
    ).toBe("assistant");
    expect(
      splitBetween(
        { messages: [...opening, four, user("x")] },
        { messages: [...opening, item, user("x")] },
      )?.detail,
    ).toBe("assistant");
  });
});

describe("the earlier call that a new one is compared with", () => {
  const conversation = (name: string, ...texts: string[]) => [user(name), ...texts.map(user)];
  const comparedWith = (...requests: Message[][]): string | null | undefined => {
    const rollout = new Rollout();
    for (const messages of requests)
      rollout.call(messages, four, { prompt_ids: [rollout.steps.length + 1, 1] });
    return splitOf(rollout)?.compared_with;
  };

  it("shares the most messages, and is the latest of those that do", () => {
    const [a, b] = [conversation("a", "x", "y"), conversation("a", "x", "z")];
    expect(comparedWith(a, conversation("b"), conversation("a", "x", "w"))).toBe("s1");
    expect(comparedWith(a, b, conversation("b"), conversation("a", "x", "w"))).toBe("s2");
  });

  it("is one of the last eight conversations", () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, at) => conversation(`${at}`));
    const again = conversation("a", "y");
    expect(comparedWith(conversation("a", "x"), ...others(7), again)).toBe("s1");
    expect(comparedWith(conversation("a", "x"), ...others(8), again)).toBe("s9");
  });

  it("counts a conversation once, however often it was continued", () => {
    const rollout = new Rollout();
    rollout.call(conversation("a", "x"), four);
    let messages: readonly Message[] = conversation("b");
    for (let turn = 0; turn < 9; turn += 1) {
      rollout.call(messages, four);
      messages = [...messages, four, user("on")];
    }
    rollout.call(conversation("a", "y"), four);
    expect(splitOf(rollout)?.compared_with).toBe("s1");
  });
});
