import { chatCompletion, startDemoUpstream, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { holdWriteLock } from "../telemetry/write-lock.ts";
import { refusal, sessionClient } from "./session-client.ts";

async function inMemory(gateway: TestGateway): Promise<string[]> {
  const response = await fetch(`${gateway.url}/v1/sessions`);
  const { sessions } = (await response.json()) as { sessions: { session_id: string }[] };
  return sessions.map((session) => session.session_id);
}

const left = (gateway: TestGateway, session_id: string): Promise<true> =>
  waitFor(
    async () => !(await inMemory(gateway)).includes(session_id),
    `${session_id} to leave memory`,
  );

test("an idle session leaves memory, and comes back with all its counts", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    session_idle_ttl_s: 0.1,
  });
  const session = sessionClient(gateway, "s");
  let prompt_tokens = 0;
  for (let step = 1; step <= 3; step += 1) {
    const answer = await session.chat();
    expect(answer.headers.get("x-gateway-step-id")).toBe(String(step));
    const { usage } = (await answer.json()) as { usage: { prompt_tokens: number } };
    prompt_tokens += usage.prompt_tokens;
    await left(gateway, "s");
    expect(await session.latestSuccessStep()).toMatchObject({ step_id: step });
  }
  const { models } = await session.closeAndWait();
  expect(models.demo).toMatchObject({ steps: 3, successes: 3, latest_success_step: 3 });
  expect(models.demo?.prompt_tokens).toBe(prompt_tokens);
});

test("a session with a request in flight stays, however long that takes", async () => {
  await using upstream = await startFaultyUpstream(async ({ order }, reply) => {
    if (order > 1) await reply.json(chatCompletion());
  });
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    session_idle_ttl_s: 0.1,
  });
  const busy = sessionClient(gateway, "busy");
  const answer = busy.chat();
  const request = await upstream.nextRequest();
  await (await sessionClient(gateway, "idle").chat()).text();
  await left(gateway, "idle");
  expect(await inMemory(gateway)).toEqual(["busy"]);
  await request.reply.json(chatCompletion());
  expect((await answer).status).toBe(200);
  await left(gateway, "busy");
});

test("a session with unwritten rows stays until they are written", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    session_idle_ttl_s: 0.1,
    telemetry: { mode: "best_effort", batch_size: 1 },
  });
  await sessionClient(gateway, "idle").chat();
  await waitFor(() => gateway.steps("idle").length === 1, "the row of the idle session");
  const lock = holdWriteLock(gateway.databasePath);
  await (await sessionClient(gateway, "unwritten").chat()).text();
  await left(gateway, "idle");
  expect(await inMemory(gateway)).toEqual(["unwritten"]);
  lock.release();
  await left(gateway, "unwritten");
  expect(gateway.steps("unwritten")).toHaveLength(1);
});

test("a session that lost rows stays until its close has reported it", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    session_idle_ttl_s: 0.1,
    telemetry: {
      mode: "best_effort",
      batch_size: 1,
      queue_max_rows: 1,
      loss_policy: "drop_newest",
    },
  });
  await (await sessionClient(gateway, "idle").chat()).text();
  await waitFor(() => gateway.steps("idle").length === 1, "the row of the idle session");
  const session = sessionClient(gateway, "lost");
  const lock = holdWriteLock(gateway.databasePath);
  for (let step = 1; step <= 2; step += 1) await (await session.chat()).text();
  lock.release();
  await waitFor(() => gateway.steps("lost").length === 1, "the row that was kept");
  await (await sessionClient(gateway, "later").chat()).text();
  await left(gateway, "later");
  expect((await session.closeAndWait()).close).toMatchObject({ telemetry: "lost", lost_rows: 1 });
});

test("a closed session stays until it is cleaned", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    session_idle_ttl_s: 0.1,
    max_sessions: 2,
  });
  await sessionClient(gateway, "closed").closeAndWait();
  await (await sessionClient(gateway, "idle").chat()).text();
  await left(gateway, "idle");
  expect(await inMemory(gateway)).toEqual(["closed"]);
  expect(await refusal(await sessionClient(gateway, "closed").chat())).toMatch(/^400/);
});

test("beyond max_sessions the longest idle session leaves, and comes back with its numbers", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_sessions: 2,
  });
  const chat = async (id: string): Promise<string | null> => {
    const answer = await sessionClient(gateway, id).chat();
    await answer.text();
    return answer.headers.get("x-gateway-step-id");
  };
  await chat("a");
  await chat("b");
  await chat("a");
  await chat("c");
  expect(await inMemory(gateway)).toEqual(["a", "c"]);
  expect(await chat("b")).toBe("2");
  expect(await inMemory(gateway)).toEqual(["b", "c"]);
  expect(await chat("a")).toBe("3");
});

test("closed sessions leave when others need the room, and stay closed until they are cleaned", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_sessions: 2,
  });
  const sessions = ["a", "b", "c"].map((id) => sessionClient(gateway, id));
  for (const session of sessions) {
    expect((await session.chat()).status).toBe(200);
    await session.closeAndWait();
  }
  expect(await inMemory(gateway)).toEqual(["b", "c"]);
  const [first] = sessions;
  expect(await refusal((await first?.chat()) ?? new Response())).toMatch(/session_closed/);
  expect((await first?.status())?.status).toBe("closed");
  await gateway.post("/v1/sessions/b/clean", {});
  const again = await sessionClient(gateway, "b").chat();
  expect([again.status, again.headers.get("x-gateway-step-id")]).toEqual([200, "2"]);
});

test("idle time counts from the last answer, not from the last request", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_sessions: 2,
  });
  const ask = (id: string) => sessionClient(gateway, id).chat();
  const slow = ask("slow");
  const request = await upstream.nextRequest();
  const quick = ask("quick");
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  await (await quick).text();
  await request.reply.json(chatCompletion());
  await (await slow).text();
  const next = ask("next");
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  await (await next).text();
  expect(await inMemory(gateway)).toEqual(["next", "slow"]);
});

test("if none can leave, further sessions get a 503 that says when to retry, even if many come at once", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_sessions: 2,
  });
  const ids = ["a", "b", "c", "d"];
  const answers = new Map(ids.map((id) => [id, sessionClient(gateway, id).chat()]));
  const requests = [await upstream.nextRequest(), await upstream.nextRequest()];
  const open = requests.map((request) => String(request.headers["x-session-id"]));
  for (const [id, answer] of answers) {
    if (open.includes(id)) continue;
    expect((await answer).headers.get("retry-after")).toBe("5");
    expect(await refusal(await answer)).toBe("503 overloaded, retry true");
  }
  expect(await inMemory(gateway)).toEqual(open.toSorted());
  for (const request of requests) await request.reply.json(chatCompletion());
  for (const id of open) await (await answers.get(id))?.text();
  const next = sessionClient(gateway, "e").chat();
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  expect((await next).status).toBe(200);
});
