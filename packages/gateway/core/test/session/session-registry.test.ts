import type { EnvironmentRow, SessionStore } from "@proj/session-store";
import { waitFor } from "@proj/test-kit";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { Cancellation } from "../../src/call/cancellation.ts";
import {
  SessionRegistry,
  type SessionRegistryOptions,
} from "../../src/session/session-registry.ts";
import { statusBody } from "../../src/session/status-body.ts";
import { openRecorder, row, storeWith } from "../telemetry/open-recorder.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function later(milliseconds: number): void {
  vi.advanceTimersByTime(milliseconds);
}

function environmentOf(session_id: string): EnvironmentRow {
  return {
    ...{ session_id, job_id: "job", simulation_id: session_id, attempt: 1, status: "running" },
    ...{ env_name: null, env_params: null, group_id: null, reward: null, result: null },
    ...{ error: null, owner: null, heartbeat_at: null, created_at: "2026-01-02T03:04:05.000Z" },
    ...{ started_at: null, finished_at: null },
  };
}

async function openRegistry(
  options: Partial<SessionRegistryOptions> = {},
  around: (store: SessionStore) => SessionStore = (store) => store,
) {
  const { recorder, store, ...rest } = await openRecorder();
  const registry = new SessionRegistry(around(store), recorder, {
    maxSessions: 10,
    onClosed: () => {},
    onLeft: () => {},
    onMoved: () => {},
    idleTtlMs: 60_000,
    endsKeys: true,
    closeTimeoutMs: 1_000,
    writeTimeoutMs: 1_000,
    openWithoutStorage: false,
    ...options,
  });
  onTestFinished(() => registry.dispose());
  return { registry, recorder, store, ...rest };
}

test("a session is read from storage once, however many open it at the same time", async () => {
  let reads = 0;
  const { registry } = await openRegistry({}, (store) =>
    storeWith(store, {
      readSession: (session_id) => {
        reads += 1;
        return store.readSession(session_id);
      },
    }),
  );
  const sessions = await Promise.all(Array.from({ length: 20 }, () => registry.open("session")));
  expect(new Set(sessions).size).toBe(1);
  expect(reads).toBe(1);
});

test("a missing environment is looked up again at most once a second, one query at a time", async () => {
  let questions = 0;
  const { registry } = await openRegistry({}, (store) =>
    storeWith(store, {
      findEnvironments: (session_ids) => {
        questions += 1;
        return store.findEnvironments(session_ids);
      },
    }),
  );
  const openMany = () => Promise.all(Array.from({ length: 20 }, () => registry.open("session")));
  await openMany();
  later(999);
  await openMany();
  expect(questions).toBe(0);
  later(1);
  await openMany();
  await openMany();
  expect(questions).toBe(1);
  later(1_000);
  await openMany();
  expect(questions).toBe(2);
});

test("environments that are looked for in one turn are one query, and each session gets its own", async () => {
  const questions: (readonly string[])[] = [];
  const { registry } = await openRegistry({}, (store) =>
    storeWith(store, {
      findEnvironments: async (session_ids) => {
        questions.push(session_ids);
        return [environmentOf("b"), environmentOf("c")];
      },
    }),
  );
  const openAll = () => Promise.all(["a", "b", "c"].map((id) => registry.open(id)));
  await openAll();
  later(1_000);
  const sessions = await openAll();
  expect(questions).toEqual([["a", "b", "c"]]);
  const found = sessions.map(({ environment }) => environment?.session_id ?? null);
  expect(found).toEqual([null, "b", "c"]);
  later(1_000);
  await openAll();
  expect(questions).toEqual([["a", "b", "c"], ["a"]]);
});

test("a session opens even if storage cannot answer the query for its environment", async () => {
  const { registry } = await openRegistry({}, (store) =>
    storeWith(store, { findEnvironments: () => Promise.reject(new Error("no answer")) }),
  );
  const session = await registry.open("session");
  later(1_000);
  expect(await registry.open("session")).toBe(session);
});

test("a caller whose session left memory during the query gets its replacement", async () => {
  const asked = Promise.withResolvers<readonly EnvironmentRow[]>();
  const { registry } = await openRegistry({ maxSessions: 1 }, (store) =>
    storeWith(store, { findEnvironments: () => asked.promise }),
  );
  const first = await registry.open("session");
  later(1_000);
  const waiting = registry.open("session");
  await registry.open("another");
  const second = await registry.open("session");
  expect(second).not.toBe(first);
  asked.resolve([]);
  expect(await waiting).toBe(second);
});

test("a session evicted between its opening and its first request is there for the next request", async () => {
  const { registry } = await openRegistry({ maxSessions: 1 });
  const session = await registry.open("session");
  await registry.open("another");
  expect(registry.find("session")).toBeNull();
  const leave = registry.enter(session, new Cancellation());
  expect(await registry.open("session")).toBe(session);
  leave();
  expect(await registry.open("session")).toBe(session);
});

test("a session opened without storage later loads what is stored, and counts nothing twice", async () => {
  let isDown = true;
  const { registry, recorder } = await openRegistry({ openWithoutStorage: true }, (store) =>
    storeWith(store, {
      readSession: (session_id) =>
        isDown ? Promise.reject(new Error("down")) : store.readSession(session_id),
    }),
  );
  const usage = { prompt_tokens: 10, completion_tokens: 4, cost_nano_usd: 70 };
  const meta_json = JSON.stringify({ status_code: 200, ...usage });
  for (const step_id of [1, 2])
    await recorder.record(row(step_id, { meta_json })).written.promise();

  const session = await registry.open("session");
  expect(registry.findRestored("session")).toBeNull();
  // What the pipeline counts for a third step.
  const tally = session.tally("policy");
  tally.takeStep();
  tally.addUsage({ prompt_tokens: 10, completion_tokens: 4 }, 70);
  const written = await recorder
    .record(row(1, { request_id: "third", meta_json }))
    .written.promise();
  tally.stored(written?.step_id ?? 0, true);

  isDown = false;
  later(1_000);
  expect(await registry.open("session")).toBe(session);
  expect(registry.findRestored("session")).toBe(session);
  expect(statusBody(session, noBudgets).models.policy).toEqual({
    steps: 3,
    successes: 3,
    latest_success_step: 3,
    stopped: false,
    prompt_tokens: 30,
    completion_tokens: 12,
    cost_nano_usd: 210,
  });
});

const noBudgets = { max_steps: -1, max_tokens: -1, max_cost_usd: null };

test("a session opens only once storage can be read", async () => {
  let isDown = true;
  const { registry } = await openRegistry({}, (store) =>
    storeWith(store, {
      readSession: (session_id) =>
        isDown ? Promise.reject(new Error("down")) : store.readSession(session_id),
    }),
  );
  await expect(registry.open("session")).rejects.toMatchObject({
    code: "telemetry_unavailable",
    retryable: true,
    retryAfterMs: 1_000,
  });
  expect(registry.find("session")).toBeNull();
  isDown = false;
  expect((await registry.open("session")).status).toBe("active");
});

test("a session is dropped only if its own binding has moved", async () => {
  const { registry } = await openRegistry();
  const session = await registry.open("session");
  registry.moved("session", 7);
  expect(registry.find("session")).toBe(session);
  registry.moved("session", session.epoch);
  expect(registry.find("session")).toBeNull();
});

test("while storage is slow, one sweep at a time asks whether sessions have moved", async () => {
  const held = Promise.withResolvers<null>();
  const asked: string[] = [];
  const { registry } = await openRegistry({ idleTtlMs: 100 }, (store) =>
    storeWith(store, {
      isShared: true,
      readBinding: (session_id) => {
        asked.push(session_id);
        return held.promise;
      },
    }),
  );
  await registry.open("first");
  await waitFor(() => asked.length > 0, "the first sweep to ask");
  later(60);
  await registry.open("second");
  later(60);
  await waitFor(() => registry.find("first") === null, "a later sweep");
  expect(asked).toEqual(["first"]);
  held.resolve(null);
  await waitFor(() => asked.length > 1, "the next sweep to ask");
  expect(asked[1]).toBe("second");
});
