import {
  chatCompletion,
  readAllServerSentEvents,
  startDemoUpstream,
  startFaultyUpstream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { inFlight, sessionClient } from "../session/session-client.ts";
import { startGateway } from "../start-gateway.ts";

test("a model that has used up its steps gets a synthetic stop: no step, no row, nothing forwarded", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url }, other: { base_url: upstream.url } },
    max_steps: 2,
  });
  const session = sessionClient(gateway, "s");
  for (let step = 1; step <= 2; step += 1) {
    const answer = await session.chat();
    expect(answer.headers.get("x-gateway-stop")).toBeNull();
    await answer.text();
  }
  const stop = await session.chat();
  expect([stop.status, stop.headers.get("x-gateway-stop")]).toEqual([200, "max_steps"]);
  expect(stop.headers.get("x-gateway-step-id")).toBeNull();
  expect(stop.headers.get("x-gateway-session-id")).toBe("s");
  expect(await stop.json()).toMatchObject({
    object: "chat.completion",
    model: "demo",
    choices: [{ message: { content: "[gateway] step budget reached" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  });
  const streamed = await session.chat({ stream: true });
  expect(streamed.headers.get("x-gateway-stop")).toBe("max_steps");
  expect((await readAllServerSentEvents(streamed.body)).at(-1)?.data).toBe("[DONE]");

  expect(upstream.requests).toHaveLength(2);
  expect(gateway.steps("s").map((row) => row.step_id)).toEqual([1, 2]);
  expect((await session.status()).models.demo).toMatchObject({ steps: 2, stopped: true });
  await (await session.chat({ model: "other" })).text();
  expect((await session.status()).models.other).toMatchObject({ steps: 1, stopped: false });
  expect((await sessionClient(gateway, "t").chat()).headers.get("x-gateway-stop")).toBeNull();
});

test("max_steps 0 forwards nothing, not even the first request", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_steps: 0,
  });
  const session = sessionClient(gateway, "s");
  for (const stream of [false, true]) {
    const stop = await session.chat({ stream });
    expect([stop.status, stop.headers.get("x-gateway-stop")]).toEqual([200, "max_steps"]);
    await stop.text();
  }
  expect(upstream.requests).toEqual([]);
  expect(gateway.steps("s")).toEqual([]);
  const { demo } = (await session.status()).models;
  expect(demo).toMatchObject({ steps: 0, stopped: true, latest_success_step: null });
});

test("a negative max_steps is not a budget", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_steps: -5,
  });
  const session = sessionClient(gateway, "s");
  for (let step = 1; step <= 3; step += 1) {
    const answer = await session.chat();
    expect(answer.headers.get("x-gateway-stop")).toBeNull();
    await answer.text();
  }
  expect((await session.status()).models.demo).toMatchObject({ steps: 3, stopped: false });
});

test("the budget survives a restart", async () => {
  await using upstream = await startDemoUpstream();
  const config = { llm_routes: { demo: { base_url: upstream.url } }, max_steps: 1 };
  await using first = await startGateway(config);
  await (await sessionClient(first, "s").chat()).text();
  await first.gateway.close();
  await using second = await startGateway(config, { folder: first.folder });
  const session = sessionClient(second, "s");
  expect((await session.chat()).headers.get("x-gateway-stop")).toBe("max_steps");
  expect((await session.status()).models.demo).toMatchObject({ steps: 1, stopped: true });
  expect(upstream.requests).toHaveLength(1);
});

test("a request that waited while others took the last steps is stopped, and frees its place", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1 } },
    max_steps: 1,
  });
  const session = sessionClient(gateway, "s");
  const first = session.chat();
  const request = await upstream.nextRequest();
  // The budget was used up when the step was taken: the next request is stopped without waiting.
  const stopped = await session.chat();
  expect(stopped.headers.get("x-gateway-stop")).toBe("max_steps");
  await stopped.text();

  const other = sessionClient(gateway, "other");
  const waiting = [other.chat()];
  await inFlight(other, 1);
  waiting.push(other.chat());
  await inFlight(other, 2);
  await request.reply.json(chatCompletion());
  expect((await first).headers.get("x-gateway-stop")).toBeNull();
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  expect((await waiting[0])?.headers.get("x-gateway-stop")).toBeNull();
  expect((await waiting[1])?.headers.get("x-gateway-stop")).toBe("max_steps");
  const last = sessionClient(gateway, "last").chat();
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  expect((await last).status).toBe(200);
});

test("a step given up before it was forwarded is left for others", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1 } },
    max_steps: 1,
  });
  const holder = sessionClient(gateway, "holder");
  const holding = holder.chat();
  const request = await upstream.nextRequest();
  const session = sessionClient(gateway, "s");
  const caller = new AbortController();
  const abandoned = session.chat({ signal: caller.signal });
  await inFlight(session, 1);
  caller.abort();
  await expect(abandoned).rejects.toThrow();
  await inFlight(session, 0);
  await request.reply.json(chatCompletion());
  await (await holding).text();
  const answer = session.chat();
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  expect((await answer).headers.get("x-gateway-step-id")).toBe("1");
});
