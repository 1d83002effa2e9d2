import type { RouteListBody } from "@proj/gateway-protocol";
import { waitFor } from "@proj/test-kit";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { called, ended, said, thought } from "./engine-server.ts";
import { type Part, type PausedEngine, type Played, paused, startPaused } from "./paused-engine.ts";
import { recordedSteps } from "./recorded-steps.ts";

const press = { name: "press", parameters: { type: "object", properties: {} } };
const tools = [{ type: "function" as const, function: press }];
const messages = [{ role: "user" as const, content: "Count." }];
const chat = ({ url }: Played) =>
  new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0 }).chat.completions;
const engineOf = ({ steps }: Played, at = 0) => JSON.parse(steps()[at]?.response ?? "null").engine;

let engine: PausedEngine;
beforeAll(async () => {
  engine = await startPaused();
});
afterAll(() => engine.close());

test.each([true, false])(
  "an answer that pauses cut twice is one answer (streamed: %s)",
  async (streams) => {
    const run = await engine.play([
      [thought("Hm,", 11, 12), paused],
      [thought(" so.", 13), said("One", 14, 15), paused],
      [said(" two", 16), called("press", "{}", 17), ended],
      [said("Done.", 18), ended],
    ]);
    const body = { model: "policy", messages, tools, max_tokens: 50 };
    const answer = streams
      ? await chat(run)
          .stream({ ...body, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await chat(run).create(body);
    const [choice] = answer.choices;
    expect(choice?.message).toMatchObject({ content: "One two" });
    const recorded = JSON.parse(run.steps()[0]?.response ?? "null").choices[0].message;
    expect(recorded).toMatchObject({ content: "One two", reasoning_content: "Hm, so." });
    expect(choice?.message.tool_calls).toHaveLength(1);
    expect(choice?.finish_reason).toBe("tool_calls");
    const [first = { ids: [] }] = run.asked;
    const { length } = first.ids;
    expect(run.asked.map(({ ids, max_tokens }) => [ids.slice(length), max_tokens])).toEqual([
      [[], 50],
      [[11, 12], 48],
      [[11, 12, 13, 14, 15], 45],
    ]);
    expect(answer.usage).toMatchObject({ prompt_tokens: length, completion_tokens: 8 });
    const record = engineOf(run);
    expect(record).toMatchObject({ resumed: [2, 5], cut: null, prompt_mismatch: false });
    const [step] = recordedSteps(run.steps());
    expect(Array.from(step?.completion_ids ?? [])).toEqual(record.token_ids);
    expect(record.token_ids.slice(0, 7)).toEqual([11, 12, 13, 14, 15, 16, 17]);
    expect(record.logprobs).toEqual(record.token_ids.map((id: number) => -id / 1_000_000));
    expect(step?.versions).toEqual([
      { version: "step-1", start: 0, end: 2 },
      { version: "step-2", start: 2, end: 5 },
      { version: "step-3", start: 5, end: 8 },
    ]);
    // The next turn continues the whole answer.
    const [call] = choice?.message.tool_calls ?? [];
    await chat(run).create({
      ...body,
      messages: [
        ...messages,
        { role: "assistant", content: null, tool_calls: call === undefined ? [] : [call] },
        { role: "tool", tool_call_id: call?.id ?? "", content: "pressed" },
      ],
    });
    expect(run.asked[3]?.ids.slice(0, length + 8)).toEqual([...first.ids, ...record.token_ids]);
    expect(engineOf(run, 1)).toMatchObject({ made: "continued" });
  },
);

const withinCall: readonly Part[] = [
  [said("I press.", 21), called("press", '{"key":', 22, 23), paused],
  [called("press", '{"key":"b"}', 24), ended],
];

test("an answer cut within a tool call goes on before the call", async () => {
  const run = await engine.play(withinCall);
  const { choices } = await chat(run).create({ model: "policy", messages, tools });
  const [call] = choices[0]?.message.tool_calls ?? [];
  expect(choices[0]?.message.content).toBe("I press.");
  expect(call).toMatchObject({ function: { name: "press", arguments: '{"key":"b"}' } });
  expect(engineOf(run)).toMatchObject({ resumed: [1], cut: null });
  expect(engineOf(run).token_ids.slice(0, 2)).toEqual([21, 24]);
});

test("an answer that a grammar binds begins again", async () => {
  const run = await engine.play([
    [said('{"a"', 31, 32), paused],
    [said('{"a":1}', 33), ended],
  ]);
  const { choices } = await chat(run).create({
    model: "policy",
    messages,
    max_tokens: 9,
    response_format: { type: "json_object" },
  });
  expect(choices[0]?.message.content).toBe('{"a":1}');
  expect(run.asked[1]).toEqual(run.asked[0]);
  expect(engineOf(run)).toMatchObject({ resumed: [0] });
});

test("a caller that leaves during the pause takes no place on the route", async () => {
  const run = await engine.play([[said("One", 1), paused]], false);
  const leaving = new AbortController();
  const stream = await chat(run).create(
    { model: "policy", messages, stream: true },
    { signal: leaving.signal },
  );
  for await (const { choices } of stream) if (choices[0]?.delta.content === "One") break;
  await run.pause();
  leaving.abort();
  const idle = async (): Promise<boolean> => {
    const answer = await fetch(`${engine.gateway.url}/v1/routes`);
    const { routes } = (await answer.json()) as RouteListBody;
    return routes.every(({ waiting, in_flight }) => waiting + in_flight === 0);
  };
  await waitFor(idle, "the route to be idle");
  await run.resume("step-2");
  expect(run.asked).toHaveLength(1);
});
