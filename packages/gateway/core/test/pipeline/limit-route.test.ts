import {
  chatCompletion,
  chatStream,
  resetBeforeHeaders,
  startFaultyUpstream,
  waitFor,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { inFlight, refusal, sessionClient } from "../session/session-client.ts";
import { startGateway } from "../start-gateway.ts";
import { holdWriteLock } from "../telemetry/write-lock.ts";
import { atRest } from "./at-rest.ts";

const body = { model: "demo", messages: [] };

test("a full queue is 429 with Retry-After and retry-after-ms, and the same request succeeds later", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1, max_queue: 0 } },
  });
  const session = sessionClient(gateway, "s");
  const holding = session.chat();
  const request = await upstream.nextRequest();
  const refused = await session.chat();
  expect([refused.headers.get("retry-after"), refused.headers.get("retry-after-ms")]).toEqual([
    "1",
    "1000",
  ]);
  expect(await refusal(refused)).toBe("429 route_saturated, retry true");
  await request.reply.json(chatCompletion());
  await (await holding).text();
  const later = session.chat();
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  expect((await later).headers.get("x-gateway-step-id")).toBe("2");
  await atRest(gateway, "s");
});

test("a request that has waited queue_timeout_s gets a 429 and is never forwarded", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1, queue_timeout_s: 0.1 } },
  });
  const session = sessionClient(gateway, "s");
  const holding = session.chat();
  const request = await upstream.nextRequest();
  const refused = await session.chat();
  expect(refused.headers.get("retry-after-ms")).toBe("1000");
  expect(await refusal(refused)).toBe("429 route_saturated, retry true");
  await request.reply.json(chatCompletion());
  expect((await holding).status).toBe(200);
  expect(upstream.requests).toHaveLength(1);
  await atRest(gateway, "s");
});

test("sessions and unbound callers take turns, however many each has waiting", async () => {
  await using upstream = await startFaultyUpstream(async ({ order }, reply) => {
    if (order > 1) await reply.json(chatCompletion());
  });
  const keys = { red: "key-of-red", blue: "key-of-blue" };
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1 } },
    auth: { api_keys: Object.entries(keys).map(([name, key]) => ({ name, key })) },
  });
  const waiting = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${keys.red}` };
    const text = await (await fetch(`${gateway.url}/metrics`, { headers })).text();
    return Number(/^gateway_requests_waiting\{[^}]*\} (\d+)/m.exec(text)?.[1]);
  };
  const answers: Promise<Response>[] = [];
  // One after the other, so that their order is certain.
  const join = async (path: string, key: string, caller: string): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, "x-caller": caller };
    const index = answers.push(gateway.post(path, body, headers)) - 1;
    if (index === 0) await upstream.nextRequest();
    else await waitFor(async () => (await waiting()) === index, `${caller} to wait`);
  };
  const chat = "/chat/completions";
  await join(`/v1/sessions/holder${chat}`, keys.red, "holder");
  for (const number of [1, 2, 3, 4])
    await join(`/v1/sessions/flood${chat}`, keys.red, `flood ${number}`);
  for (const number of [1, 2]) await join(`/v1${chat}`, keys.red, `red ${number}`);
  await join(`/v1${chat}`, keys.blue, "blue 1");
  await join(`/v1/sessions/single${chat}`, keys.red, "single 1");
  await upstream.requests[0]?.reply.json(chatCompletion());
  for (const answer of answers) expect((await answer).status).toBe(200);
  expect(upstream.requests.map((request) => request.headers["x-caller"])).toEqual([
    "holder",
    "flood 1",
    "red 1",
    "blue 1",
    "single 1",
    "flood 2",
    "red 2",
    "flood 3",
    "flood 4",
  ]);
});

test("a stream keeps its place until its body has ended, not until its headers came", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1 } },
  });
  const session = sessionClient(gateway, "s");
  const [first = "", ...rest] = chatStream(chatCompletion());
  const streamed = session.chat({ stream: true });
  const { reply } = await upstream.nextRequest();
  await reply.startEvents();
  await reply.write(first);
  expect((await streamed).status).toBe(200);
  const next = session.chat();
  await inFlight(session, 2);
  expect(upstream.requests).toHaveLength(1);
  for (const event of rest) await reply.write(event);
  await reply.end();
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  expect((await next).status).toBe(200);
  await (await streamed).text();
  await atRest(gateway, "s");
});

test("a place is free once the upstream's answer has ended, before its row is written", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1 } },
  });
  const session = sessionClient(gateway, "s");
  const first = session.chat();
  const request = await upstream.nextRequest();
  using lock = holdWriteLock(gateway.databasePath);
  await request.reply.json(chatCompletion());
  const second = session.chat();
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  lock.release();
  for (const answer of [first, second]) expect((await answer).status).toBe(200);
});

test("a place is free once the upstream has failed, before the failure's row is written", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1 } },
  });
  const session = sessionClient(gateway, "s");
  upstream.script(resetBeforeHeaders());
  using lock = holdWriteLock(gateway.databasePath);
  const first = session.chat();
  await upstream.nextRequest();
  const second = session.chat();
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  lock.release();
  expect((await first).status).toBe(502);
  expect((await second).status).toBe(200);
  expect(gateway.steps("s").map((row) => row.status_code)).toEqual([502, 200]);
});
