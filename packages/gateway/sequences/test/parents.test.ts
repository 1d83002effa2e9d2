import { describe, expect, it, test } from "vitest";
import { type Step, sequences } from "../src/index.ts";
import { assistant, four, opening, Rollout, render, splitOf, stepAt, user } from "./rollout.ts";

const more = [...opening, four, user("and 3?")];
const seven = assistant("seven");

/** The steps of each sequence. */
const chainsOf = (steps: readonly Step[], options = {}): string[][] =>
  sequences(steps, options).sequences.map(({ spans }) => [
    ...new Set(spans.map(({ step }) => step)),
  ]);

/** Two calls with the same tokens, and a third that continues one of them, or none. */
function afterTwo(first: Partial<Step>, second: Partial<Step>, third: Partial<Step>): Rollout {
  const rollout = new Rollout();
  rollout.call(opening, four, first);
  rollout.call(opening, four, second);
  rollout.call(more, seven, { prompt_ids: render(more), ...third });
  return rollout;
}

const answering = (...items: readonly unknown[]): Partial<Step> => ({
  messages: [...opening, null, "text", { content: [null, "text"] }, ...items],
});

test.each<[string, Partial<Step>, Partial<Step>]>([
  ["the response it names", { response_id: "r2" }, { previous_response_id: "r2" }],
  ["the tool call it answers", {}, answering({ role: "tool", tool_call_id: "c2", content: "4" })],
  [
    "the tool use it answers",
    {},
    answering({ role: "user", content: [{ type: "tool_result", tool_use_id: "c2" }] }),
  ],
  [
    "the function call it answers",
    {},
    answering({ type: "function_call", call_id: "c1" }, { call_id: "c2", output: "4" }),
  ],
  [
    "the function call it answers in Google's API",
    {},
    answering({ role: "user", parts: [{ functionResponse: { id: "c2" } }] }),
  ],
  [
    "the messages it repeats",
    { messages: [user("add 2 and 2")] },
    { messages: [user("add 2 and 2"), four, user("x")] },
  ],
])("continues one of two calls with the same tokens, chosen by %s", (_, second, third) => {
  const first = { response_id: "r1", tool_call_ids: ["c1"] };
  const { steps } = afterTwo(first, { tool_call_ids: ["c2", "c3"], ...second }, third);
  expect(chainsOf(steps)).toEqual([["s1"], ["s2", "s3"]]);
  expect(sequences(steps).ledger.delivered_fraction).toBe(1);
});

test("of two calls with the same tokens, one without an id is not the one that a call without a name continues", () => {
  expect(splitOf(afterTwo({ response_id: "r1" }, {}, {}))?.reason).toBe("ambiguous_parent");
});

test("a call whose messages are unknown is not taken for the one that a later call repeats", () => {
  const split = splitOf(afterTwo({ messages: null }, { messages: [user("other")] }, {}));
  expect(split?.reason).toBe("ambiguous_parent");
});

test("a call that answers none of the tool calls continues none of them", () => {
  const calls = ["c1", "c2"].map((id) => ({ tool_call_ids: [id], messages: null }));
  const [first = {}, second = {}] = calls;
  for (const item of [
    { content: "4" },
    { call_id: "c2" },
    { output: "4" },
    { functionResponse: null },
  ]) {
    const split = splitOf(afterTwo(first, second, answering(item)));
    expect(split?.reason).toBe("ambiguous_parent");
  }
});

it("tells three equal calls apart by their messages, and more than 32 not at all", () => {
  const splitAfter = (calls: number) => {
    const rollout = new Rollout();
    for (let call = 0; call < calls; call += 1)
      rollout.call(opening, four, { messages: [user(`add 2 and 2, ${call}`)] });
    rollout.call([user("add 2 and 2, 1"), four, user("and 3?")], four, {
      prompt_ids: render(more),
    });
    return splitOf(rollout)?.reason;
  };
  expect(splitAfter(3)).toBeUndefined();
  expect(splitAfter(32)).toBeUndefined();
  expect(splitAfter(33)).toBe("ambiguous_parent");
});

test.each<[string, readonly string[] | null, readonly string[] | null, boolean]>([
  ["the weights changed", ["1"], ["2"], true],
  ["the weights had changed during the call before", ["1", "2"], ["2"], false],
  ["the weights change during the call", ["1"], ["1", "2"], false],
  ["the weights changed between two calls that each saw a change", ["1", "2"], ["1", "2"], true],
  ["the earlier call's are unknown", null, ["2"], false],
  ["the later call's are unknown", ["1"], null, false],
  ["neither call says any", [], [], false],
])("with split_on_version, where %s", (_, before, now, isSplit) => {
  const spans = (names: readonly string[] | null) =>
    names?.map((version, at) => ({ version, start: at, end: at + 1 })) ?? null;
  const rollout = new Rollout();
  rollout.call(opening, four, { versions: spans(before) });
  rollout.call(more, seven, { versions: spans(now) });
  expect(splitOf(rollout)).toBeUndefined();
  const split = splitOf(rollout, { split_on_version: true });
  expect(split?.reason).toBe(isSplit ? "version_changed" : undefined);
});

describe("side calls that are kept", () => {
  it("continue each other within one rule and one model", () => {
    const rollout = new Rollout();
    rollout.call(opening, four, { side_call: "title" });
    rollout.call(more, seven, { side_call: "title" });
    rollout.call(more, seven, { side_call: "judge" });
    rollout.call(more, seven, { side_call: "title", model: "other" });
    rollout.call([...more, seven, user("x")], four, { side_call: "title", model: "other" });
    const chains = chainsOf(rollout.steps, { model: "policy", keep_side_calls: true });
    expect(chains).toEqual([["s1", "s2"], ["s3"], ["s4", "s5"]]);
  });
});

describe("the order of rows", () => {
  const ids = { prompt_ids: [1], completion_ids: [2] };
  const row = (id: string, model: string, began: number, ended: number): Step =>
    stepAt(-began, { ...ids, id, model, order: { began, ended } });
  const orderOf = (steps: readonly Step[]): string[] =>
    sequences(steps).ledger.steps.map(({ step }) => step);

  it("is that in which answers ended, and within a model that in which its calls began", () => {
    const rows = [row("a1", "a", 1, 3), row("b1", "b", 1, 2), row("b2", "b", 2, 1)];
    for (const steps of [rows, rows.toReversed()])
      expect(orderOf(steps)).toEqual(["b1", "b2", "a1"]);
  });

  it("is that of their numbers for the choices of one call", () => {
    const choices = Array.from({ length: 11 }, (_, choice) => row(`a/1/${choice}`, "a", 1, 1));
    const names = choices.map(({ id }) => id);
    for (const steps of [
      choices,
      choices.toReversed(),
      choices.toSpliced(0, 5, ...choices.slice(0, 5).toReversed()),
    ])
      expect(orderOf(steps)).toEqual(names);
  });

  it("gives way to the clock if a step has no row", () => {
    const steps = [stepAt(5, { ...ids, id: "late", model: "a" }), row("soon", "a", 9, 9)];
    expect(orderOf(steps)).toEqual(["soon", "late"]);
  });
});

describe("calls that retry each other", () => {
  it("are all kept where each retries the other", () => {
    const rollout = new Rollout();
    rollout.call(opening, four, { retry_of: "s2" });
    rollout.call(opening, seven, { retry_of: "s1" });
    expect(chainsOf(rollout.steps)).toEqual([["s1"], ["s2"]]);
  });

  it("begin for the reason for which the first of them began", () => {
    const rollout = new Rollout();
    rollout.call(opening, four);
    rollout.call(opening, seven, { retry_of: "s1" });
    expect(splitOf(rollout)?.reason).toBe("first");
    rollout.call(opening, assistant("4"));
    expect(splitOf(rollout)).toMatchObject({ reason: "sampled_again", compared_with: "s2" });
  });

  it("also begin for that reason where the first was lost", () => {
    const rollout = new Rollout();
    rollout.call(opening, four, { status_code: 499 });
    rollout.call(opening, seven);
    expect(splitOf(rollout)?.reason).toBe("first");
  });
});
