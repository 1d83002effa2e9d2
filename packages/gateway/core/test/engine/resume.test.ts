import type { RouteListBody } from "@proj/gateway-protocol";
import { type FaultyUpstream, startFaultyUpstream, waitFor } from "@proj/test-kit";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import {
  called,
  endAnswer,
  ended,
  type Sampled,
  said,
  thought,
  tokenizer,
  writeChunk,
} from "./engine-server.ts";
import { recordedSteps } from "./recorded-steps.ts";

interface Asked {
  readonly ids: readonly number[];
  readonly max_tokens: number;
}

/** The engine stops where an answer has this, until it is paused, and then says that it was aborted. */
const paused = Symbol("paused");
type Part = readonly (Sampled | typeof paused)[];

interface Paused {
  readonly gateway: TestGateway;
  readonly asked: readonly Asked[];
  readonly engine: FaultyUpstream;
  pause(): Promise<void>;
  resume(weight_version: string): Promise<void>;
}

/** An engine whose answers are in parts, and a gateway that pauses it with `abort` when it stops, and resumes it. */
async function start(parts: readonly Part[], resumes = true): Promise<Paused> {
  const asked: Asked[] = [];
  let resumed = Promise.resolve();
  let aborted = Promise.withResolvers<void>();
  const engine = await startFaultyUpstream(async (request, reply) => {
    if (request.path.startsWith("/pause")) aborted.resolve();
    if (!request.path.includes("chat/completions")) return void reply.json({});
    const { kv_transfer_params, max_tokens } = JSON.parse(request.body.toString());
    const ids: number[] = kv_transfer_params.prompt_token_ids;
    asked.push({ ids, max_tokens });
    const part = parts[asked.length - 1] ?? [];
    await reply.startEvents();
    for (const [at, sampled] of part.entries()) {
      const first = at === 0 ? { prompt_token_ids: ids } : {};
      if (sampled === paused) {
        const { promise } = aborted;
        if (resumes)
          resumed = pause().then(() => {
            aborted = Promise.withResolvers();
            return resume(`step-${asked.length + 1}`);
          });
        await promise;
        // What its parsers held back comes without tokens.
        await writeChunk(reply, { delta: { content: "<" }, ids: [] }, first, "abort");
      } else {
        const isLast = at === part.length - 1;
        const finish = part.some((it) => it !== paused && "tool_calls" in it.delta)
          ? "tool_calls"
          : "stop";
        await writeChunk(reply, sampled, first, isLast ? finish : null);
      }
    }
    const sampled = part.flatMap((it) => (it === paused ? [] : it.ids));
    await endAnswer(reply, ids.length, sampled.length);
  });
  const gateway = await startGateway({
    llm_routes: { policy: { base_url: engine.url, engine: "vllm", tokenizer } },
  });
  onTestFinished(async () => {
    await resumed;
    await gateway.close();
    await engine.close();
  });
  const order = async (verb: string, body: object): Promise<void> => {
    const answer = await gateway.post(`/v1/routes/policy/${verb}`, body);
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  };
  const pause = () => order("pause", { mode: "hold", engine: "abort" });
  const resume = (weight_version: string) => order("resume", { weight_version, engine: true });
  await resume("step-1");
  return { gateway, asked, engine, pause, resume };
}

const press = { name: "press", parameters: { type: "object", properties: {} } };
const tools = [{ type: "function" as const, function: press }];
const messages = [{ role: "user" as const, content: "Count." }];
const chat = ({ gateway }: Paused) =>
  new OpenAI({ baseURL: `${gateway.url}/v1/sessions/s`, apiKey: "none", maxRetries: 0 }).chat
    .completions;
const engineOf = ({ gateway }: Paused, at = 0) =>
  JSON.parse(gateway.steps("s")[at]?.response ?? "null").engine;

test.each([true, false])(
  "an answer that pauses cut twice is one answer (streamed: %s)",
  async (streams) => {
    const run = await start([
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
    const recorded = JSON.parse(run.gateway.steps("s")[0]?.response ?? "null").choices[0].message;
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
    const engine = engineOf(run);
    expect(engine).toMatchObject({ resumed: [2, 5], cut: null, prompt_mismatch: false });
    const [step] = recordedSteps(run.gateway.steps("s"));
    expect(Array.from(step?.completion_ids ?? [])).toEqual(engine.token_ids);
    expect(engine.token_ids.slice(0, 7)).toEqual([11, 12, 13, 14, 15, 16, 17]);
    expect(engine.logprobs).toEqual(engine.token_ids.map((id: number) => -id / 1_000_000));
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
    expect(run.asked[3]?.ids.slice(0, length + 8)).toEqual([...first.ids, ...engine.token_ids]);
    expect(engineOf(run, 1)).toMatchObject({ made: "continued" });
  },
);

const withinCall: readonly Part[] = [
  [said("I press.", 21), called("press", '{"key":', 22, 23), paused],
  [called("press", '{"key":"b"}', 24), ended],
];

test("an answer cut within a tool call goes on before the call", async () => {
  const run = await start(withinCall);
  const { choices } = await chat(run).create({ model: "policy", messages, tools });
  const [call] = choices[0]?.message.tool_calls ?? [];
  expect(choices[0]?.message.content).toBe("I press.");
  expect(call).toMatchObject({ function: { name: "press", arguments: '{"key":"b"}' } });
  expect(engineOf(run)).toMatchObject({ resumed: [1], cut: null });
  expect(engineOf(run).token_ids.slice(0, 2)).toEqual([21, 24]);
});

test("what an agent has got of a tool call is not taken back", async () => {
  const run = await start(withinCall);
  const asking = chat(run).stream({ model: "policy", messages, tools }).finalChatCompletion();
  await expect(asking).rejects.toThrow("within a tool call");
  expect(engineOf(run)).toMatchObject({ cut: "broken_off", token_ids: [21, 22, 23] });
  expect(run.asked).toHaveLength(1);
});

test("an answer that a grammar binds begins again", async () => {
  const run = await start([
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
  const run = await start([[said("One", 1), paused]], false);
  const leaving = new AbortController();
  const stream = await chat(run).create(
    { model: "policy", messages, stream: true },
    { signal: leaving.signal },
  );
  for await (const { choices } of stream) if (choices[0]?.delta.content === "One") break;
  await run.pause();
  leaving.abort();
  const idle = async (): Promise<boolean> => {
    const answer = await fetch(`${run.gateway.url}/v1/routes`);
    const { routes } = (await answer.json()) as RouteListBody;
    return routes.every(({ waiting, in_flight }) => waiting + in_flight === 0);
  };
  await waitFor(idle, "the route to be idle");
  await run.resume("step-2");
  expect(run.asked).toHaveLength(1);
});
