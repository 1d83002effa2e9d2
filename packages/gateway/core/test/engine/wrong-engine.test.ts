import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { RouteListBody } from "@proj/gateway-protocol";
import { sequences } from "@proj/sequences";
import { type FaultyUpstream, type Reply, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { endAnswer, ended, endOfTurn, said, tokenizer, writeChunk } from "./engine-server.ts";
import { recordedSteps } from "./recorded-steps.ts";

// Engines, and what is in front of them, that answer wrongly.

type Ids = readonly number[];
type Answer = (reply: Reply, prompt: Ids) => Promise<unknown>;

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const one = { token: "x", logprob: -1 };

/** An answer with these ids, which says that it has two tokens. */
const telling =
  (
    token_ids: unknown,
    content: unknown = Array.isArray(token_ids) ? token_ids.map(() => one) : null,
    counted = 2,
  ): Answer =>
  async (reply, prompt_token_ids) => {
    await reply.startEvents();
    const choice = { index: 0, delta: { content: "Hi" }, token_ids, logprobs: { content } };
    await reply.write(event({ choices: [{ ...choice, finish_reason: "stop" }], prompt_token_ids }));
    await endAnswer(reply, prompt_token_ids.length, counted);
  };

/** These events, and then none of the answer's end. */
const sending =
  (...events: readonly string[]): Answer =>
  async (reply) => {
    await reply.startEvents();
    for (const sent of events) await reply.write(sent);
  };

/** This again and again, for as long as somebody reads it. */
const endless =
  (status: number, beginning: string, again: string): Answer =>
  async (reply) => {
    await reply.startEvents({ status });
    await reply.write(beginning);
    while (await reply.write(again)) await nextTurn();
  };

const notIds = { wrong_ids: "not_ids", token_ids: [], cut: "wrong_ids" };
const miscounted = { wrong_ids: "miscounted", cut: "wrong_ids" };
const noIds = { reason: "no_token_ids", by: "engine" };
const misaligned = { reason: "logprobs_misaligned", by: null };

const wrong: readonly [what: string, answer: Answer, record: object, loss: object][] = [
  ["ids that are fractions", telling([1.5, endOfTurn]), notIds, noIds],
  ["ids that are texts", telling(["5", endOfTurn]), notIds, noIds],
  ["ids that are lists", telling([[5], endOfTurn]), notIds, noIds],
  ["ids that are true", telling([true, endOfTurn]), notIds, noIds],
  ["negative ids", telling([-1, endOfTurn]), notIds, noIds],
  ["ids beyond every vocabulary", telling([2 ** 31, endOfTurn]), notIds, noIds],
  ["ids beyond exact integers", telling([2 ** 53, endOfTurn]), notIds, noIds],
  ["no ids", telling(null), { wrong_ids: "missing", cut: "wrong_ids" }, noIds],
  ["a delta without ids", telling([5]), miscounted, noIds],
  ["ids twice", telling([5, 5, endOfTurn]), miscounted, noIds],
  ["fewer log probabilities", telling([5, endOfTurn], [one]), { wrong_ids: null }, misaligned],
  [
    "log probabilities that are not numbers",
    telling([5, endOfTurn], [{ token: "x", logprob: "0" }, null]),
    { wrong_ids: null },
    misaligned,
  ],
  [
    "another prompt",
    async (reply, prompt) => {
      await reply.startEvents();
      await writeChunk(reply, said("Hi", 5), { prompt_token_ids: [...prompt.slice(1), 1e300] });
      await writeChunk(reply, ended, {}, "stop");
      await endAnswer(reply, prompt.length, 2);
    },
    { prompt_mismatch: true, cut: "prompt_mismatch" },
    { reason: "no_token_ids", by: "prompt_mismatch" },
  ],
  [
    "tool calls of any shape",
    async (reply, prompt) => {
      const [name, text] = [{ name: "a" }, { arguments: "{}" }];
      const tool_calls = [7, { index: 1e9, function: text }, { index: -1, function: name }];
      await reply.startEvents();
      await reply.write(event({ choices: {} }));
      await reply.write(event({ choices: [{ delta: [], logprobs: 5, token_ids: 7 }] }));
      await reply.write(event({ choices: [{ delta: { content: "Hi", tool_calls } }] }));
      await reply.write(event({ choices: [{ delta: {}, finish_reason: "stop" }], usage: [] }));
      await endAnswer(reply, prompt.length, 2);
    },
    { wrong_ids: "missing" },
    noIds,
  ],
];

const broken: readonly [what: string, answer: Answer, error: string][] = [
  ["sends what is not JSON, and never ends", endless(200, "data: nope\n\n", ": on\n"), "not JSON"],
  [
    "sends an error, and never ends",
    endless(200, event({ error: { message: "OOM" } }), ": on\n"),
    "OOM",
  ],
  ["refuses without an end", endless(500, "No.", "No.".repeat(9_999)), "No.No."],
  ["falls silent behind its first token", sending(event({ choices: [] })), "nothing further"],
  [
    "sends a line that never ends",
    endless(200, "data: ", "x".repeat(1 << 16)),
    "larger than max_capture_bytes",
  ],
  [
    "sends much in few bytes",
    async (reply) => {
      await reply.startEvents({ headers: { "content-encoding": "gzip" } });
      await reply.write(gzipSync(Buffer.alloc(10_000_000)));
      await reply.end();
    },
    "sent something else",
  ],
  [
    "is a page",
    async (reply) => reply.send("<html>", { headers: { "content-type": "text/html" } }),
    "sent something else",
  ],
  [
    "ends in the middle",
    async (reply, prompt) => {
      await reply.startEvents();
      await writeChunk(reply, said("Hi", 5), { prompt_token_ids: prompt });
      await endAnswer(reply, prompt.length, 1);
    },
    "broke off",
  ],
];

let upstream: FaultyUpstream;
let gateway: TestGateway;
let answer: Answer;
beforeAll(async () => {
  upstream = await startFaultyUpstream(async (request, reply) => {
    const { prompt_token_ids } = JSON.parse(request.body.toString()).kv_transfer_params;
    await answer(reply, prompt_token_ids);
  });
  gateway = await startGateway({
    max_capture_bytes: 200_000,
    timeouts: { idle_s: 4 },
    llm_routes: { policy: { base_url: upstream.url, engine: "vllm", tokenizer } },
  });
});
afterAll(async () => {
  const idle = async (): Promise<boolean> => {
    const got = await fetch(`${gateway.url}/v1/routes`);
    const { routes } = (await got.json()) as RouteListBody;
    return routes.every(({ waiting, in_flight }) => waiting + in_flight === 0);
  };
  await waitFor(idle, "the route to be idle");
  await gateway.close();
  await upstream.close();
});

const question = { role: "user", content: "Hi?" };

/** What the agent gets. */
async function ask(
  session: string,
  given: Answer,
  messages: object[],
  stream = false,
): Promise<string> {
  answer = given;
  const body = { model: "policy", messages, stream };
  return (await gateway.post(`/v1/sessions/${session}/chat/completions`, body)).text();
}

test.each(wrong)(
  "%s: told in the row, and nothing continues them",
  async (_what, given, record, loss) => {
    const session = randomUUID();
    expect(await ask(session, given, [question], true)).toContain("[DONE]");
    const [row] = gateway.steps(session);
    expect(JSON.parse(row?.response ?? "null").engine).toMatchObject(record);
    const given_back = { role: "assistant", content: "Hi" };
    await ask(session, telling([7, endOfTurn]), [question, given_back, question]);
    const rows = gateway.steps(session);
    const second = JSON.parse(rows[1]?.response ?? "null").engine;
    // Its prompt has the answer: as the template renders it, if the ids are wrong.
    if (loss !== misaligned) expect(second).toMatchObject({ made: "rendered" });
    const { ledger } = sequences(recordedSteps(rows));
    expect(ledger.steps[0]).toMatchObject({ delivered: 0, ...loss });
    expect(ledger.steps[1]).toMatchObject({ delivered: 2 });
  },
);

test.each(broken)("an engine that %s is an error at once", async (_what, given, error) => {
  const session = randomUUID();
  expect(await ask(session, given, [question], true)).toContain(error);
  const rows = gateway.steps(session);
  expect(rows.map(({ status_code }) => status_code >= 500)).toEqual([true]);
  expect(sequences(recordedSteps(rows)).ledger).toMatchObject({ delivered: 0 });
  expect(await ask(session, telling([7, endOfTurn]), [question])).toContain("Hi");
});

test("ids of an engine that counts no tokens are believed", async () => {
  const session = randomUUID();
  await ask(session, telling([7, endOfTurn], [one, one], 0), [question]);
  const { ledger } = sequences(recordedSteps(gateway.steps(session)));
  expect(ledger).toMatchObject({ delivered: 2 });
});

test("an answer ends once", async () => {
  const twice: Answer = async (reply, prompt) => {
    await reply.startEvents();
    await writeChunk(reply, said("Hi", 5, endOfTurn), { prompt_token_ids: prompt }, "stop");
    await writeChunk(reply, said(" again", 12), {}, "abort");
    await endAnswer(reply, prompt.length, 2);
  };
  expect(await ask("twice", twice, [question])).toContain('"content":"Hi"');
  const [row] = gateway.steps("twice");
  const { engine } = JSON.parse(row?.response ?? "null");
  expect(engine).toMatchObject({ token_ids: [5, endOfTurn], cut: null, resumed: [] });
});

test.each([
  ["never ends", (): void => {}],
  ["is cut off", (reply: Reply): void => void reply.reset()],
])("an answer that is whole is given out, although its body %s", async (_what, leave) => {
  const answered: Answer = async (reply, prompt) => {
    await reply.startEvents();
    await writeChunk(reply, said("Hi", 5, endOfTurn), { prompt_token_ids: prompt }, "stop");
    await reply.write("data: [DONE]\n\n");
    leave(reply);
  };
  const session = randomUUID();
  expect(await ask(session, answered, [question])).toContain('"finish_reason":"stop"');
  const rows = gateway.steps(session);
  expect(rows.map(({ status_code }) => status_code)).toEqual([200]);
  expect(sequences(recordedSteps(rows)).ledger).toMatchObject({ captured: 2, delivered: 2 });
});
