import {
  chatCompletion,
  chatStream,
  readAllServerSentEvents,
  startFaultyUpstream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { inFlight, refusal, sessionClient } from "./session-client.ts";

test("a closing session refuses requests while a plain answer finishes", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const session = sessionClient(gateway, "s");
  const answer = session.chat();
  const request = await upstream.nextRequest();

  expect((await session.close()).body).toMatchObject({ status: "closing", in_flight: 1 });
  expect(await refusal(await session.chat())).toBe("400 session_closed, retry false");
  const poll = await session.close();
  expect(poll.body).toMatchObject({ status: "closing", in_flight: 1 });
  expect(poll.headers.get("retry-after")).toBe("10");
  expect(poll.body.close).toMatchObject({ drained: false, telemetry: "pending" });

  await request.reply.json(chatCompletion());
  expect((await answer).status).toBe(200);
  const closed = await session.closeAndWait();
  expect(closed.close).toMatchObject({ drained: true, telemetry: "flushed", forced: false });
  expect(closed.models.demo).toMatchObject({ steps: 1, successes: 1, latest_success_step: 1 });
  expect(gateway.steps("s").map((row) => row.status_code)).toEqual([200]);
});

test("a closing session refuses requests while a stream finishes", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const session = sessionClient(gateway, "s");
  const answer = await sendStreamed();
  expect(answer.response.status).toBe(200);

  await session.close();
  expect(await refusal(await session.chat({ stream: true }))).toBe(
    "400 session_closed, retry false",
  );
  for (const event of answer.rest) await answer.reply.write(event);
  await answer.reply.end();
  const events = await readAllServerSentEvents(answer.response.body);
  expect(events.at(-1)?.data).toBe("[DONE]");
  expect((await session.closeAndWait()).close).toMatchObject({ drained: true, forced: false });
  expect(gateway.steps("s")).toMatchObject([{ status_code: 200, meta: { outcome: "completed" } }]);

  async function sendStreamed() {
    const [first, ...rest] = chatStream(chatCompletion());
    const response = session.chat({ stream: true });
    const { reply } = await upstream.nextRequest();
    await reply.startEvents();
    await reply.write(first ?? "");
    return { response: await response, reply, rest };
  }
});

test("requests waiting in the route's queue are in flight, and drain in order", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1 } },
  });
  const session = sessionClient(gateway, "s");
  const answers = [session.chat()];
  await upstream.nextRequest();
  for (const count of [2, 3]) {
    answers.push(session.chat());
    await inFlight(session, count);
  }
  await session.close();
  expect(await refusal(await session.chat())).toBe("400 session_closed, retry false");
  for (const index of [0, 1, 2]) {
    await upstream.requests[index]?.reply.json(chatCompletion());
    const answer = await answers[index];
    expect(answer?.headers.get("x-gateway-step-id")).toBe(String(index + 1));
    expect(answer?.status).toBe(200);
    if (index < 2) await upstream.nextRequest();
  }
  const closed = await session.closeAndWait();
  expect(closed.close).toMatchObject({ drained: true, telemetry: "flushed", forced: false });
  expect(gateway.steps("s").map((row) => row.step_id)).toEqual([1, 2, 3]);
});

test("a waiting close answers when the last request has ended", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const session = sessionClient(gateway, "s");
  const answer = session.chat();
  const request = await upstream.nextRequest();
  const closes = [session.close(undefined, "?wait=30"), session.close(undefined, "?wait=30")];
  while ((await session.status()).status !== "closing");
  await request.reply.json(chatCompletion());
  for (const { body } of await Promise.all(closes)) expect(body.status).toBe("closed");
  expect((await answer).status).toBe(200);
});

test("a waiting close answers closing with Retry-After when its time is up", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    session_close_retry_after_s: 3,
  });
  const session = sessionClient(gateway, "s");
  const answer = session.chat();
  const request = await upstream.nextRequest();
  const { body, headers } = await session.close(undefined, "?wait=1");
  expect([body.status, headers.get("retry-after")]).toEqual(["closing", "3"]);
  await request.reply.json(chatCompletion());
  expect((await answer).status).toBe(200);
});

test("a caller that leaves does not keep its session from closing", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const session = sessionClient(gateway, "s");
  const caller = new AbortController();
  const answer = session.chat({ signal: caller.signal });
  const request = await upstream.nextRequest();
  await session.close();
  caller.abort();
  await expect(answer).rejects.toThrow();
  await request.closed();
  const closed = await session.closeAndWait();
  expect(closed.close).toMatchObject({ drained: true, telemetry: "flushed", forced: false });
  expect(gateway.steps("s")).toMatchObject([
    { status_code: 499, meta: { outcome: "caller_gone" } },
  ]);
});
