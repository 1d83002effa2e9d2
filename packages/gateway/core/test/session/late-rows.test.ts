import { chatCompletion, startDemoUpstream, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { metric } from "../telemetry/bound-calls.ts";
import { holdWriteLock } from "../telemetry/write-lock.ts";
import { refusal, sessionClient } from "./session-client.ts";

const shortTimes = { session_close_timeout_s: 0.1, telemetry: { write_timeout_s: 2 } };

/** Records every status that a step was ever stored with, however briefly. */
function rememberStatuses(gateway: TestGateway): () => string[] {
  gateway.database((database) =>
    database.exec(`
      create table seen (step text);
      create trigger seen_insert after insert on stored_steps begin
        insert into seen values (new.step_id || ':' || new.status_code || ':' || json_extract(new.meta_json, '$.status_code'));
      end;
      create trigger seen_update after update on stored_steps begin
        insert into seen values (new.step_id || ':' || new.status_code || ':' || json_extract(new.meta_json, '$.status_code'));
      end;`),
  );
  return () =>
    gateway.database((database) =>
      database
        .prepare<[], { step: string }>("select step from seen")
        .all()
        .map((row) => row.step),
    );
}

/** The fallback of the reward commit: docs/interfaces.md, "Gateway: endpoints", 2. */
function fallbackStep(gateway: TestGateway, session_id: string): number | null {
  return gateway.database((database) => {
    const row = database
      .prepare<[string], { step: number | null }>(
        "select max(step_id) as step from session_steps where session_id = ? and json_extract(meta_json, '$.status_code') = 200",
      )
      .get(session_id);
    return row?.step ?? null;
  });
}

// They wait for time-outs, each with a gateway of its own.
test.concurrent.for(["strict", "best_effort"])(
  "%s: rows unwritten at a forced close are pending, arrive later as late, and are never the latest success",
  async (mode) => {
    await using upstream = await startDemoUpstream();
    await using gateway = await startGateway({
      llm_routes: { demo: { base_url: upstream.url } },
      ...shortTimes,
      telemetry: { mode, write_timeout_s: 2, flush_interval_ms: 1 },
    });
    const seen = rememberStatuses(gateway);
    const session = sessionClient(gateway, "s");
    await (await session.chat()).text();
    await session.status();
    await waitFor(() => gateway.steps("s").length === 1, "the first step to be stored");
    const lock = holdWriteLock(gateway.databasePath);
    const answer = session.chat();
    if (mode === "best_effort") await (await answer).text();
    else await waitFor(() => upstream.requests.length === 2, "the second request");

    const closed = await session.closeAndWait();
    expect(closed.close).toMatchObject({ forced: true, telemetry: "pending", lost_rows: 0 });
    expect(closed).toMatchObject({ in_flight: 0, models: { demo: { latest_success_step: 1 } } });
    if (mode === "strict")
      expect(await refusal(await answer)).toBe("503 telemetry_unavailable, retry false");

    lock.release();
    await waitFor(() => gateway.steps("s").length === 2, "the late row");
    expect(gateway.steps("s")[1]).toMatchObject({
      step_id: 2,
      status_code: 503,
      meta: { status_code: 503, upstream_status_code: 200, late: true },
    });
    expect([...new Set(seen())]).toEqual(["1:200:200", "2:503:503"]);
    expect(fallbackStep(gateway, "s")).toBe(1);
    expect(await session.latestSuccessStep()).toMatchObject({ step_id: 1 });
    await session.clean();
    expect(await session.latestSuccessStep()).toMatchObject({ step_id: 1 });
  },
);

test.concurrent("once the late rows are stored, status says flushed", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    ...shortTimes,
  });
  const session = sessionClient(gateway, "s");
  const lock = holdWriteLock(gateway.databasePath);
  const answer = session.chat();
  await waitFor(() => upstream.requests.length === 1, "the request");
  await session.closeAndWait();
  await answer;
  lock.release();
  const flushed = async () => (await session.status()).close?.telemetry === "flushed";
  await waitFor(flushed, "the late row to be reported");
  expect((await session.status()).close).toMatchObject({ forced: true, lost_rows: 0 });
  expect(gateway.steps("s")).toHaveLength(1);
});

test.concurrent("requests aborted while storage was down still get 400, and their late rows say 499", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    ...shortTimes,
  });
  const session = sessionClient(gateway, "s");
  const answer = session.chat();
  await upstream.nextRequest();
  const lock = holdWriteLock(gateway.databasePath);
  const closed = await session.closeAndWait();
  expect(closed).toMatchObject({ in_flight: 0, close: { forced: true, telemetry: "pending" } });
  expect(await refusal(await answer)).toBe("400 session_closed, retry false");
  lock.release();
  await waitFor(() => gateway.steps("s").length === 1, "the late row");
  expect(gateway.steps("s")).toMatchObject([
    { status_code: 499, meta: { status_code: 499, outcome: "not_delivered", late: true } },
  ]);
});

test.concurrent("a row whose caller was refused is never stored as a success, not for a moment", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    telemetry: { write_timeout_s: 2 },
  });
  const seen = rememberStatuses(gateway);
  const session = sessionClient(gateway, "s");
  const answers = [session.chat(), session.chat()];
  const requests = [await upstream.nextRequest(), await upstream.nextRequest()];
  const lock = holdWriteLock(gateway.databasePath);
  await requests[0]?.reply.json(chatCompletion());
  const first = await Promise.race(answers);
  expect(await refusal(first)).toBe("503 telemetry_unavailable, retry false");
  // Its row shares a batch with the first one, which is being retried by now.
  await requests[1]?.reply.json(chatCompletion());
  const both = await Promise.all(answers);
  lock.release();
  await waitFor(() => gateway.steps("s").length === 2, "both rows");
  for (const answer of both) expect(answer.status).toBe(503);
  await session.closeAndWait();
  expect(new Set(seen())).toEqual(new Set(["1:503:503", "2:503:503"]));
  expect(await session.latestSuccessStep()).toMatchObject({ step_id: null });
});

test.concurrent("a row stored while the close still waits is not late", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    session_close_timeout_s: 60,
  });
  const session = sessionClient(gateway, "s");
  const answer = session.chat();
  const request = await upstream.nextRequest();
  const lock = holdWriteLock(gateway.databasePath);
  await request.reply.json(chatCompletion());
  expect((await session.close()).body.close).toMatchObject({ telemetry: "pending" });
  expect((await session.close()).body.status).toBe("closing");
  lock.release();
  const closed = await session.closeAndWait();
  expect(closed.close).toMatchObject({ forced: false, drained: true, telemetry: "flushed" });
  expect((await answer).status).toBe(200);
  expect(gateway.steps("s")[0]?.meta).not.toHaveProperty("late");
  expect(await session.latestSuccessStep()).toMatchObject({ step_id: 1 });
});

test.concurrent("after a clean, unwritten rows stay queued and the session's numbers continue after them", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    ...shortTimes,
    telemetry: { mode: "best_effort", write_timeout_s: 5, flush_interval_ms: 1 },
    session_close_timeout_s: 60,
  });
  const session = sessionClient(gateway, "s");
  await session.chat();
  await waitFor(() => gateway.steps("s").length === 1, "the first row");
  await session.closeAndWait();
  await session.clean();
  const lock = holdWriteLock(gateway.databasePath);
  expect((await session.chat()).headers.get("x-gateway-step-id")).toBe("2");
  const closing = await session.close();
  expect(closing.body.status).toBe("closing");
  lock.release();
  await session.closeAndWait();
  expect((await session.clean()).body).toEqual({ session_id: "s", cleaned: true });
  expect((await session.chat()).headers.get("x-gateway-step-id")).toBe("3");
});

test.concurrent("a caller that leaves while its session is loaded takes no step", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    session_close_timeout_s: 0.1,
    telemetry: { mode: "best_effort", batch_size: 1, write_timeout_s: 2 },
  });
  const session = sessionClient(gateway, "s");
  const lock = holdWriteLock(gateway.databasePath);
  await (await session.chat()).text();
  await session.closeAndWait();
  await session.clean();
  const buffered = (): Promise<number> => metric(gateway, "gateway_buffered_bytes");
  const rowAlone = await buffered();
  // It is loaded after its own row, which is still waiting.
  const caller = new AbortController();
  const answer = session.chat({ signal: caller.signal });
  await waitFor(async () => (await buffered()) > rowAlone, "the request to be read");
  caller.abort();
  await expect(answer).rejects.toThrow();
  lock.release();
  await waitFor(() => gateway.steps("s").length === 1, "the late row");
  const next = await session.chat();
  expect(next.headers.get("x-gateway-step-id")).toBe("2");
  await next.text();
  expect(upstream.requests).toHaveLength(2);
  expect((await session.closeAndWait()).models.demo).toMatchObject({ steps: 2 });
});
