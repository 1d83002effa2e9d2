import { gatewayPaths, type RouteStatusBody } from "@proj/gateway-protocol";
import {
  chatCompletion,
  chatStream,
  type FaultyUpstream,
  type RecordedRequest,
  startFaultyUpstream,
  temporaryFolder,
  waitFor,
} from "@proj/test-kit";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { expectError } from "../http/error-answer.ts";
import { refusal, sessionClient } from "../session/session-client.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";

const { pauseRoute, resumeRoute, routes } = gatewayPaths();
const model = "org/policy";

async function start(
  route: Record<string, unknown> = {},
  options: Parameters<typeof startGateway>[1] = {},
  otherRoutes: Record<string, unknown> = {},
): Promise<{ readonly gateway: TestGateway; readonly upstream: FaultyUpstream }> {
  const upstream = await startFaultyUpstream();
  const gateway = await startGateway(
    { llm_routes: { [model]: { base_url: upstream.url, ...route }, ...otherRoutes } },
    options,
  );
  onTestFinished(async () => {
    await gateway.close();
    await upstream.close();
  });
  return { gateway, upstream };
}

async function ask(gateway: TestGateway, path: string, body: object): Promise<RouteStatusBody> {
  const response = await gateway.post(path, body);
  expect(response.status).toBe(200);
  return (await response.json()) as RouteStatusBody;
}
const pause = (gateway: TestGateway, mode: string) =>
  ask(gateway, pauseRoute(model), { mode, timeout_s: 30 });
const resume = (gateway: TestGateway, weight_version?: string) =>
  ask(gateway, resumeRoute(model), { weight_version });
const status = async (gateway: TestGateway): Promise<RouteStatusBody | undefined> => {
  const response = await fetch(gateway.url + routes);
  return ((await response.json()) as { routes: RouteStatusBody[] }).routes[0];
};
const waiting = (gateway: TestGateway, count: number): Promise<unknown> =>
  waitFor(async () => (await status(gateway))?.waiting === count, `${count} to wait`);
const versionsOf = (gateway: TestGateway, session_id: string): unknown[] =>
  gateway.steps(session_id).map(({ meta }) => meta.weight_version);

test("a held route makes requests wait, however short its queue time-out, and rows have the weights", async () => {
  const queue_timeout_s = 0.05;
  await using other = await startFaultyUpstream();
  const full = { base_url: other.url, queue_timeout_s, max_concurrency: 1 };
  const { gateway, upstream } = await start({ queue_timeout_s }, {}, { full });
  const session = sessionClient(gateway, "s");
  await resume(gateway, "v1");
  const before = session.chat({ model });
  const forwarded = await upstream.nextRequest();
  expect(await pause(gateway, "hold")).toEqual({
    ...{ model, pause: "hold", weight_version: "v1", in_flight: 1, waiting: 0 },
  });
  const held = [session.chat({ model }), session.chat({ model })];
  await waiting(gateway, 2);
  // Another full route refuses requests that began to wait later: the earlier ones' time has passed too.
  const occupying = sessionClient(gateway, "other").chat({ model: "full" });
  const occupied = await other.nextRequest();
  await expectError(
    await sessionClient(gateway, "other").chat({ model: "full" }),
    "route_saturated",
  );
  await occupied.reply.json(chatCompletion());
  await occupying;
  await forwarded.reply.json(chatCompletion());
  expect((await before).status).toBe(200);
  expect(upstream.requests).toHaveLength(1);

  expect(await resume(gateway, "v2")).toMatchObject({ pause: null, weight_version: "v2" });
  for (const answer of held) {
    await (await upstream.nextRequest()).reply.json(chatCompletion());
    void answer;
  }
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
  expect(versionsOf(gateway, "s")).toEqual(["v1", "v2", "v2"]);
});

test("drain answers once nothing is in flight, or fails and keeps the pause", async () => {
  const { gateway, upstream } = await start();
  const session = sessionClient(gateway, "s");
  const answer = session.chat({ model, stream: true });
  const request = await upstream.nextRequest();
  const late = await gateway.post(pauseRoute(model), { mode: "drain", timeout_s: 0.05 });
  await expectError(late, "route_not_paused");
  const ended: string[] = [];
  const drained = pause(gateway, "drain").then((state) => {
    ended.push("drained");
    return state;
  });
  ended.push("answered");
  await streamTo(request);
  await (await answer).text();
  expect(await drained).toMatchObject({ pause: "drain", in_flight: 0 });
  expect(ended).toEqual(["answered", "drained"]);
  const next = session.chat({ model });
  await waiting(gateway, 1);
  expect(upstream.requests).toHaveLength(1);
  await resume(gateway);
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  expect((await next).status).toBe(200);
});

test("a refusing route answers 429 at once, to waiting requests too", async () => {
  const { gateway, upstream } = await start();
  const session = sessionClient(gateway, "s");
  await pause(gateway, "hold");
  const held = session.chat({ model });
  await waiting(gateway, 1);
  await pause(gateway, "refuse");
  expect(await refusal(await held)).toBe("429 route_paused, retry true");
  const refused = await session.chat({ model });
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(await refusal(refused)).toBe("429 route_paused, retry true");
  expect(upstream.requests).toHaveLength(0);
  expect(gateway.steps("s")).toEqual([]);
});

test("the caller of a held stream gets comments, then the stream", async () => {
  const { gateway, upstream } = await start({}, { streamTimes: quickComments });
  await pause(gateway, "hold");
  const response = await sessionClient(gateway, "s").chat({ model, stream: true });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader = response.body?.getReader();
  const first = Buffer.from((await reader?.read())?.value ?? []).toString();
  expect(first).toMatch(/^: the route is paused\n\n/);
  await resume(gateway, "v3");
  const request = await upstream.nextRequest();
  await streamTo(request);
  let rest = "";
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    rest += Buffer.from(value).toString();
  }
  expect(rest).toContain("data: [DONE]");
  expect(versionsOf(gateway, "s")).toEqual(["v3"]);
});

test("OpenAI's client streams through a hold, and gets an upstream's error as an error", async () => {
  const { gateway, upstream } = await start({}, { streamTimes: quickComments });
  const openai = new OpenAI({ baseURL: gateway.sessionUrl("s"), apiKey: "none", maxRetries: 0 });
  const stream = () =>
    openai.chat.completions.create({ model, stream: true, messages: [] }, { timeout: 20_000 });
  await pause(gateway, "hold");
  const events = await stream();
  await resume(gateway);
  await streamTo(await upstream.nextRequest());
  let chunks = 0;
  for await (const _ of events) chunks += 1;
  expect(chunks).toBeGreaterThan(0);

  await pause(gateway, "hold");
  const failing = await stream();
  await resume(gateway);
  await (await upstream.nextRequest()).reply.json(
    { error: { message: "out of memory" } },
    { status: 500 },
  );
  await expect(
    (async () => {
      for await (const _ of failing);
    })(),
  ).rejects.toThrow("out of memory");
  expect(gateway.steps("s").map(({ status_code }) => status_code)).toEqual([200, 500]);
});

test("a client that gives up on a plain answer and retries makes one step", async () => {
  const { gateway, upstream } = await start();
  await pause(gateway, "hold");
  let attempts = 0;
  const openai = new OpenAI({
    baseURL: gateway.sessionUrl("s"),
    apiKey: "none",
    // As undici does after 300 s without headers: a failed fetch.
    fetch: async (url, init) => {
      attempts += 1;
      if (attempts > 1) return fetch(url, init);
      const signal = AbortSignal.any([
        AbortSignal.timeout(200),
        ...(init?.signal ? [init.signal] : []),
      ]);
      return fetch(url, { ...init, signal }).catch((error: unknown) => {
        throw new TypeError("fetch failed", { cause: error });
      });
    },
  });
  const answer = openai.chat.completions.create({ model, messages: [] });
  await waitFor(() => attempts === 2, "the second attempt");
  await waiting(gateway, 1);
  await resume(gateway);
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  expect((await answer).choices).toHaveLength(1);
  expect(gateway.steps("s").map(({ step_id }) => step_id)).toEqual([1]);
});

test("a restarted gateway keeps the pause and the weights", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const config = { llm_routes: { [model]: { base_url: "http://127.0.0.1:1/v1" } } };
  const first = await startGateway(config, { folder: folder.path });
  await resume(first, "v7");
  await pause(first, "refuse");
  await first.close();
  await using second = await startGateway(config, { folder: folder.path });
  expect(await status(second)).toMatchObject({ pause: "refuse", weight_version: "v7" });
});

test("unknown routes, modes and versions are refused", async () => {
  const { gateway } = await start();
  await expectError(await gateway.post(pauseRoute("x"), { mode: "hold" }), "model_not_found", {
    param: "model",
  });
  const wrong = await gateway.post(pauseRoute(model), { mode: "stop" });
  await expectError(wrong, "invalid_request", { param: "mode" });
  const version = await gateway.post(resumeRoute(model), { weight_version: 3 });
  await expectError(version, "invalid_request", { param: "weight_version" });
  await expectError(await fetch(gateway.url + pauseRoute(model)), "method_not_allowed");
});

async function streamTo({ reply }: RecordedRequest): Promise<void> {
  await reply.startEvents();
  for (const event of chatStream(chatCompletion())) await reply.write(event);
  await reply.end();
}

const quickComments = { keepAliveMs: 20, lingerMs: 2_000, farewellMs: 1_000 };
