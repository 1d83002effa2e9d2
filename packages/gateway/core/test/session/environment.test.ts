import { chatCompletion, startDemoUpstream, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { refusal, sessionClient } from "./session-client.ts";

/** What a launcher does before it starts an agent. */
function insertEnvironment(gateway: TestGateway, session_id: string, status = "running"): void {
  gateway.database((database) =>
    database
      .prepare(
        `insert into job_environments (session_id, job_id, simulation_id, attempt, env_name, group_id, status, created_at)
         values (?, 'job-1', ?, 2, 'maze', 'group-7', ?, '2026-01-01T00:00:00.000Z')`,
      )
      .run(session_id, `simulation of ${session_id}`, status),
  );
}

const bound = { env_name: "maze", job_id: "job-1", group_id: "group-7" };
const unbound = { env_name: null, job_id: null, group_id: null };

test("a session is bound to the environment row with its id, and its rows say so", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  insertEnvironment(gateway, "s");
  const session = sessionClient(gateway, "s");
  await (await session.chat()).text();
  expect(gateway.steps("s")).toMatchObject([bound]);
  expect((await session.status()).environment).toEqual({
    job_id: "job-1",
    simulation_id: "simulation of s",
    attempt: 2,
    env_name: "maze",
    group_id: "group-7",
    status: "running",
  });
  await (await sessionClient(gateway, "other").chat()).text();
  expect(gateway.steps("other")).toMatchObject([unbound]);
});

test("an environment row created after the first step is found by a later step", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const session = sessionClient(gateway, "s");
  await (await session.chat()).text();
  expect((await session.status()).environment).toBeNull();
  insertEnvironment(gateway, "s");
  const isBound = async (): Promise<boolean> => {
    await (await session.chat()).text();
    return (await session.status()).environment !== null;
  };
  await waitFor(isBound, "a step that finds the environment");
  const rows = gateway.steps("s");
  expect(rows[0]).toMatchObject(unbound);
  expect(rows.at(-1)).toMatchObject(bound);
});

test.for(["finished", "failed", "interrupted"])(
  "a session whose environment is %s is closed: 400, nothing is forwarded or written, and it can be cleaned",
  async (status) => {
    await using upstream = await startDemoUpstream();
    await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
    insertEnvironment(gateway, "s", status);
    const session = sessionClient(gateway, "s");
    for (const stream of [false, true])
      expect(await refusal(await session.chat({ stream }))).toBe("400 session_closed, retry false");
    expect(upstream.requests).toEqual([]);
    expect(gateway.steps("s")).toEqual([]);
    const closed = await session.closeAndWait();
    expect(closed).toMatchObject({ status: "closed", environment: { status }, models: {} });
    expect(closed.close).toEqual({
      reason: `environment is ${status}`,
      drained: true,
      telemetry: "flushed",
      lost_rows: 0,
      forced: false,
    });
    expect((await session.clean()).body.cleaned).toBe(true);
    expect(await refusal(await session.chat())).toBe("400 session_closed, retry false");
  },
);

test("a straggler of a committed and cleaned session writes nothing after its reward", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  insertEnvironment(gateway, "s");
  const session = sessionClient(gateway, "s");
  await (await session.chat()).text();
  await session.closeAndWait();
  gateway.database((database) =>
    database.exec("update job_environments set status = 'finished' where session_id = 's'"),
  );
  await session.clean();
  expect(await refusal(await session.chat())).toBe("400 session_closed, retry false");
  expect(gateway.steps("s")).toHaveLength(1);
});

test("if a later step finds an ended environment, requests in flight are cut off and the session closes", async () => {
  await using upstream = await startFaultyUpstream(async ({ order }, reply) => {
    if (order > 1) await reply.json(chatCompletion());
  });
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const session = sessionClient(gateway, "s");
  const answer = session.chat();
  const request = await upstream.nextRequest();
  insertEnvironment(gateway, "s", "finished");
  const isRefused = async (): Promise<boolean> => {
    const late = await session.chat();
    await late.text();
    return late.status === 400;
  };
  await waitFor(isRefused, "a step that finds the environment");
  expect(await refusal(await answer)).toBe("400 session_closed, retry false");
  await request.closed();
  const closed = await session.closeAndWait();
  expect(closed.close).toMatchObject({
    reason: "environment is finished",
    drained: false,
    telemetry: "flushed",
    forced: true,
  });
  const first = gateway.steps("s").find((row) => row.step_id === 1);
  expect(first).toMatchObject({ status_code: 499, meta: { outcome: "not_delivered" } });
});
