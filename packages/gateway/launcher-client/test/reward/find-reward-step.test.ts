import {
  type JobStore,
  monotonicMs,
  openJobStore,
  openStore,
  type SessionStore,
  StoreUnavailableError,
} from "@proj/session-store";
import { startFaultyUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSession } from "../../src/gateway/close-session.ts";
import { createGatewayClient, type GatewayClient } from "../../src/gateway/gateway-client.ts";
import { type FindRewardStepOptions, findRewardStep } from "../../src/reward/find-reward-step.ts";
import { json, startOddServer } from "../odd-server.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { beside, storageOf } from "../temporary-storage.ts";
import { stepRow } from "./step-row.ts";

let gateway: TestGateway;
let store: JobStore;
/** Writes steps as a gateway does, when a test wants them. */
let writer: SessionStore;
beforeAll(async () => {
  gateway = await startGateway();
  const storage = storageOf(gateway.db_url);
  [store, writer] = await Promise.all([openJobStore(storage), openStore(beside(storage))]);
});
afterAll(async () => {
  await Promise.all([store.close(), writer.close(), gateway.close()]);
});

const write = (session_id: string, step_id: number, status_code: number = 200): Promise<unknown> =>
  writer.writeSteps([stepRow(session_id, step_id, status_code)], {
    deadline: monotonicMs() + 15_000,
  });

const find = (
  client: Pick<GatewayClient, "latestSuccessStep">,
  session_id: string,
  changes: Partial<FindRewardStepOptions> = {},
): ReturnType<typeof findRewardStep> =>
  findRewardStep({
    ...{ gateway: client, store, session_id, model: "policy", retryDelayMs: 20 },
    ...changes,
  });

/** A gateway that names a step, whatever is stored. */
async function naming(
  step_id: number | null,
): Promise<AsyncDisposable & { client: GatewayClient }> {
  const server = await startOddServer(json({ session_id: "s", model: "policy", step_id }));
  const client = createGatewayClient({ baseUrl: server.url, base_session_path: "/v1/sessions" });
  return { client, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}

test("with a gateway: the latest success of the launcher's model; failed steps and other models do not count", async () => {
  await using upstream = await startFaultyUpstream();
  const [policy, judge] = [{ base_url: upstream.url }, { base_url: upstream.url }];
  const config = { llm_routes: { policy, judge } };
  await using other = await startGateway({ config });
  const ofOther = await openJobStore(storageOf(other.db_url));
  using client = createGatewayClient({ baseUrl: other.url });
  const completion = { id: "c", object: "chat.completion", choices: [{ finish_reason: "stop" }] };
  for (const [model, status] of [
    ["policy", 200],
    ["policy", 200],
    ["policy", 500],
    ["judge", 200],
  ] as const) {
    upstream.script((_request, reply) => void reply.json(completion, { status }));
    expect(await other.chat("s", model)).toBe(status);
  }
  await closeSession(client, "s");
  const found = await find(client, "s", { store: ofOther });
  expect(found).toEqual({ step_id: 2, found: "gateway" });
  await ofOther.close();
});

/** The store, with a count of how often it was asked for a step. */
function watched(beforeLook: (look: number) => Promise<unknown> = async () => {}): {
  readonly store: FindRewardStepOptions["store"];
  looks: number;
} {
  const watch = {
    looks: 0,
    store: {
      hasStep: async (...step: Parameters<JobStore["hasStep"]>) => {
        watch.looks += 1;
        await beforeLook(watch.looks);
        return store.hasStep(...step);
      },
      readLargestSuccessStep: store.readLargestSuccessStep,
    },
  };
  return watch;
}

test("it waits for a row that becomes visible late", async () => {
  await write("late", 1);
  await using named = await naming(2);
  const watch = watched(async (look) => look === 3 && write("late", 2));
  const found = await find(named.client, "late", { store: watch.store });
  expect(found).toEqual({ step_id: 2, found: "gateway" });
  expect(watch.looks).toBe(3);
});

test("after three retries for a row that never appears, it takes the largest success in storage", async () => {
  await write("never", 1);
  await write("never", 2);
  await write("never", 3, 500);
  await using named = await naming(9);
  const watch = watched();
  const began = performance.now();
  const found = await find(named.client, "never", { store: watch.store });
  expect(found).toEqual({ step_id: 2, found: "storage" });
  expect(watch.looks).toBe(4);
  // Timers may fire a millisecond early.
  expect(performance.now() - began).toBeGreaterThan(55);
});

test("if the gateway knows of no success, the storage is asked once", async () => {
  await using named = await naming(null);
  await write("null", 1);
  expect(await find(named.client, "null")).toEqual({ step_id: 1, found: "storage" });
  await write("failed", 1, 429);
  expect(await find(named.client, "failed")).toBeNull();
  expect(await find(named.client, "nothing")).toBeNull();
});

test.each([
  ["out of reach", null],
  ["locked", json({ error: { code: "invalid_api_key" } }, 401)],
  ["draining", json({ error: { code: "gateway_draining" } }, 503, { "retry-after": "60" })],
  ["something else", json({ step: 7 })],
])("it does not wait for a gateway that is %s: the storage has the step", async (what, answer) => {
  const session_id = `away-${what.replaceAll(" ", "-")}`;
  await write(session_id, 1);
  await using server = await startOddServer(answer ?? json({}));
  if (answer === null) await server[Symbol.asyncDispose]();
  using client = createGatewayClient({ baseUrl: server.url, base_session_path: "/v1/sessions" });
  const found = await find(client, session_id, { retryDelayMs: 60_000 });
  expect(found).toEqual({ step_id: 1, found: "storage" });
});

test("it waits for a storage that is briefly unavailable; one that stays unavailable is an error", async () => {
  await using named = await naming(1);
  await write("locked", 1);
  const unavailable = new StoreUnavailableError("the file is locked");
  const recovers = watched(async (look) => look < 3 && Promise.reject(unavailable));
  expect(await find(named.client, "locked", { store: recovers.store })).toMatchObject({
    step_id: 1,
  });
  const stays = watched(async () => Promise.reject(unavailable));
  const finding = find(named.client, "locked", { store: stays.store, storeTimeoutMs: 300 });
  await expect(finding).rejects.toBe(unavailable);
});

test("an abort ends the wait for a row with the signal's reason", async () => {
  await using named = await naming(9);
  const abort = new AbortController();
  const watch = watched(async () => abort.abort("the launcher stops"));
  const options = { store: watch.store, signal: abort.signal, retryDelayMs: 60_000 };
  await expect(find(named.client, "s", options)).rejects.toBe("the launcher stops");
});
