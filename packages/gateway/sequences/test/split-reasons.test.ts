import { describe, expect, it } from "vitest";
import { type Step, sequences } from "../src/index.ts";
import { assistant, four, opening, Rollout, render, splitOf, system, user } from "./rollout.ts";

function begun(given: Partial<Step> = {}, answer = four): Rollout {
  const rollout = new Rollout();
  rollout.call(opening, answer, given);
  return rollout;
}

describe("a call that extends the one before", () => {
  it("joins its sequence", () => {
    const rollout = begun();
    rollout.call([...opening, four, user("and 3?")], assistant("seven"));
    const { sequences: found, ledger } = sequences(rollout.steps);
    expect(found).toHaveLength(1);
    expect(found[0]?.split.reason).toBe("first");
    expect(found[0]?.spans.map(({ kind, step }) => `${kind} ${step}`)).toEqual([
      "prompt s1",
      "completion s1",
      "environment s2",
      "completion s2",
    ]);
    expect(ledger).toMatchObject({ delivered_fraction: 1, prefix_extension_rate: 1, dropped: 0 });
  });

  it("may omit one trailing token, which is counted and never trained on", () => {
    const rollout = begun();
    const messages = [...opening, four, user("and 3?")];
    const prompt = render(messages);
    const end = render(opening).length + 4;
    prompt.splice(end, 1);
    rollout.call(messages, assistant("seven"), { prompt_ids: prompt });
    const { sequences: found, ledger } = sequences(rollout.steps);
    expect(found).toHaveLength(1);
    expect([...(found[0]?.input_ids ?? [])].slice(0, prompt.length)).toEqual(prompt);
    expect(found[0]?.trims).toEqual([{ step: "s1", at: end, ids: [2] }]);
    expect(ledger).toMatchObject({ captured: 11, delivered: 10, masked: 1, dropped: 0 });
    expect(ledger.steps[0]).toMatchObject({ delivered: 4, masked: 1, reason: "trimmed" });
    expect(sequences(rollout.steps, { trim: 0 }).sequences).toHaveLength(2);
  });
});

describe("a call that does not continue the one before says why", () => {
  it("first: there is no earlier call", () => {
    expect(splitOf(begun())).toMatchObject({ reason: "first", compared_with: null });
  });

  it("different_agent: another agent came before", () => {
    const rollout = begun();
    const agent = { id: "reviewer", parent: null, kind: "review" };
    rollout.call([user("review it")], assistant("fine"), { agent });
    expect(splitOf(rollout)).toMatchObject({ reason: "different_agent", detail: "review" });
  });

  it("side_call: it is not the policy's own", () => {
    const rollout = begun();
    rollout.call([user("name this chat")], assistant("Sums"), { request_kind: "title" });
    expect(splitOf(rollout)).toBeUndefined();
    const { ledger } = sequences(rollout.steps);
    expect(ledger.steps[1]).toMatchObject({ reason: "side_call", by: "title", dropped: 5 });
    const kept = splitOf(rollout, { keep_side_calls: true });
    expect(kept).toMatchObject({ reason: "side_call", detail: "title" });
  });

  it("system_changed: the system prompt differs", () => {
    const rollout = begun();
    const other = { role: "system", content: "be kind" };
    rollout.call([other, ...opening.slice(1), four, user("and 3?")], assistant("seven"));
    expect(splitOf(rollout)).toMatchObject({ reason: "system_changed", at_message: 0 });
  });

  it("system_changed, billing_block: only the billing block changed in it", () => {
    const billed = (mark: string) => ({
      role: "system",
      content: [
        { type: "text", text: `x-anthropic-billing-header: cch=${mark}` },
        { type: "text", text: "be brief" },
      ],
    });
    const rollout = new Rollout();
    rollout.call([billed("a"), user("hi")], four);
    rollout.call([billed("b"), user("hi"), four, user("more")], assistant("seven"));
    expect(splitOf(rollout)).toMatchObject({ reason: "system_changed", detail: "billing_block" });
  });

  it("tools_changed: different tools are offered, and the prompt shows them", () => {
    const rollout = begun({ tools: [{ name: "add" }] });
    const messages = [...opening, four, user("and 3?")];
    const prompt_ids = [77, ...render(messages)];
    rollout.call(messages, assistant("seven"), { tools: [{ name: "multiply" }], prompt_ids });
    expect(splitOf(rollout)).toMatchObject({ reason: "tools_changed", at_token: 0 });
  });

  it("truncated_parent: a token limit cut the answer, and it was rendered whole", () => {
    const rollout = new Rollout();
    rollout.call(opening, four, { finish_reason: "length", completion_ids: [202, 211, 217] });
    rollout.call([...opening, four, user("and 3?")], assistant("seven"));
    // The tokens produced are a beginning of the tokens rendered, so nothing is split.
    expect(sequences(rollout.steps).sequences).toHaveLength(1);
    const drifted = new Rollout();
    drifted.call(opening, four, { finish_reason: "length", completion_ids: [202, 211, 999, 5] });
    drifted.call([...opening, four, user("and 3?")], assistant("seven"));
    expect(splitOf(drifted)).toMatchObject({ reason: "truncated_parent", detail: "length" });
  });

  it("truncated_parent: the previous call cannot be used", () => {
    const rollout = begun({ status_code: 499 });
    rollout.call([...opening, four, user("and 3?")], assistant("seven"));
    expect(splitOf(rollout)).toMatchObject({ reason: "truncated_parent", detail: "aborted" });
    expect(sequences(rollout.steps).ledger.steps[0]).toMatchObject({
      reason: "aborted",
      dropped: 5,
    });
  });

  it("compacted: the history is shorter", () => {
    const rollout = begun();
    rollout.call([...opening, four, user("and 3?")], assistant("seven"));
    rollout.call([system, user("so far: 7")], assistant("ok"));
    expect(splitOf(rollout)).toMatchObject({ reason: "compacted", compared_with: "s2" });
  });

  it("compacted: the same system prompt comes as an item with another id", () => {
    const item = (id: string) => ({ ...system, id });
    const rollout = new Rollout();
    rollout.call([item("msg_1"), user("add 2 and 2")], four);
    rollout.call([item("msg_1"), user("add 2 and 2"), four, user("and 3?")], assistant("seven"));
    rollout.call([item("msg_2"), user("so far: 7")], assistant("ok"));
    expect(splitOf(rollout)).toMatchObject({ reason: "compacted", compared_with: "s2" });
  });

  it("history_rewritten: a message changed", () => {
    const rollout = begun();
    rollout.call([...opening, assistant("five"), user("and 3?")], assistant("eight"));
    expect(splitOf(rollout)).toMatchObject({
      reason: "history_rewritten",
      at_message: 2,
      detail: "assistant",
    });
  });

  it("tool_call_rerendered: the arguments mean the same but are written differently", () => {
    const called = (args: string) =>
      assistant("", {
        tool_calls: [{ id: "c1", type: "function", function: { name: "add", arguments: args } }],
      });
    const rollout = begun({}, called('{"a": 2, "b": false}'));
    const result = { role: "tool", tool_call_id: "c1", content: "4" };
    rollout.call([...opening, called('{"b":false,"a":2}'), result], assistant("four"));
    expect(splitOf(rollout)).toMatchObject({ reason: "tool_call_rerendered", at_message: 2 });
  });

  it("tool_call_rerendered: the template wrote the call in its own way", () => {
    const call = { id: "c1", type: "function", function: { name: "add", arguments: '{"a":2}' } };
    const calling = assistant("", { tool_calls: [call] });
    const rollout = begun({ tool_call_ids: ["c1"] }, calling);
    const messages = [...opening, calling, { role: "tool", tool_call_id: "c1", content: "4" }];
    const prompt_ids = render(messages);
    prompt_ids[render(opening).length + 3] = 4000;
    rollout.call(messages, assistant("four"), { prompt_ids });
    expect(splitOf(rollout)).toMatchObject({ reason: "tool_call_rerendered", at_message: null });
  });

  it("thinking_stripped: the agent left the reasoning out", () => {
    const rollout = begun({}, assistant("four", { reasoning_content: "two and two" }));
    rollout.call([...opening, four, user("and 3?")], assistant("seven"));
    expect(splitOf(rollout)).toMatchObject({ reason: "thinking_stripped", at_message: 2 });
  });

  it("thinking_stripped: the template left the reasoning out", () => {
    const thought = assistant("four", { reasoning_content: "two and two" });
    const rollout = begun({}, thought);
    const prompt_ids = render([...opening, four, user("and 3?")]);
    rollout.call([...opening, thought, user("and 3?")], assistant("seven"), { prompt_ids });
    expect(splitOf(rollout)).toMatchObject({ reason: "thinking_stripped", at_message: null });
  });

  it("retokenized: the same text became different tokens, which are shown", () => {
    const rollout = begun();
    const messages = [...opening, four, user("and 3?")];
    const prompt_ids = render(messages);
    const at_token = render(opening).length + 1;
    prompt_ids[at_token] = 4000;
    rollout.call(messages, assistant("seven"), { prompt_ids });
    const split = splitOf(rollout);
    expect(split).toMatchObject({ reason: "retokenized", at_token, compared_with: "s1" });
    expect(split?.expected_ids).toContain(211);
    expect(split?.got_ids[8]).toBe(4000);
  });

  it("ambiguous_parent: two calls with the same tokens, and nothing tells them apart", () => {
    const rollout = begun();
    rollout.call(opening, four);
    rollout.call([...opening, four, user("and 3?")], assistant("seven"));
    expect(splitOf(rollout)?.reason).toBe("ambiguous_parent");
  });

  it("version_changed: the weights changed, if the option is set", () => {
    const versions = (version: string) => [{ version, start: 0, end: 5 }];
    const rollout = begun({ versions: versions("1") });
    rollout.call([...opening, four, user("and 3?")], assistant("nine"), {
      versions: versions("2"),
    });
    expect(sequences(rollout.steps).sequences[0]?.versions.map(({ version }) => version)).toEqual([
      "1",
      "2",
    ]);
    expect(splitOf(rollout, { split_on_version: true })?.reason).toBe("version_changed");
  });
});

describe("a sequence that leaves another after its first steps says why", () => {
  const seven = assistant("seven");
  const asked = [...opening, four, user("and 3?")];

  it("names the step that does not continue the one before", () => {
    const rollout = begun();
    rollout.call(asked, seven);
    const messages = [...asked, seven, user("and 9?")];
    const prompt_ids = render(messages);
    prompt_ids[render(asked).length + 1] = 4000;
    rollout.call(messages, assistant("sixteen"), { prompt_ids });
    const { sequences: found, ledger } = sequences(rollout.steps);
    expect(found[1]?.parent?.sequence).toBe(0);
    expect(found[1]?.split).toMatchObject({ reason: "retokenized", step: "s3" });
    expect(found[1]?.split.compared_with).toBe("s2");
    expect(ledger.breaks_by_reason).toEqual({ first: 1, retokenized: 1 });
    expect(ledger.prefix_extension_rate).toBe(0.5);
  });

  it("also where the other ended first and owns what both share", () => {
    const rollout = begun();
    rollout.call(asked, seven);
    rollout.call([...opening, four, user("and 4?")], assistant("eight"));
    rollout.call([...asked, seven, user("and 9?")], assistant("sixteen"));
    const { sequences: found, ledger } = sequences(rollout.steps);
    expect(found.map(({ split }) => [split.step, split.reason, split.compared_with])).toEqual([
      ["s1", "first", null],
      ["s2", "history_rewritten", "s3"],
    ]);
    expect(ledger.breaks_by_reason).toEqual({ first: 1, history_rewritten: 1 });
  });

  it("says that a prompt was answered again", () => {
    const rollout = begun();
    rollout.call(asked, seven);
    rollout.call(asked, assistant("six"));
    expect(splitOf(rollout)).toMatchObject({ reason: "sampled_again", compared_with: "s2" });
  });
});
