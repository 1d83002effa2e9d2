import {
  type JobStore,
  monotonicMs,
  openJobStore,
  openStore,
  type SessionStore,
} from "@proj/session-store";
import { type FaultyUpstream, startFaultyUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { upstreamRefusal } from "../../src/reward/upstream-refusal.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { beside, storageOf } from "../temporary-storage.ts";
import { stepRow } from "./step-row.ts";

let upstream: FaultyUpstream;
let gateway: TestGateway;
let store: JobStore;
let writer: SessionStore;
beforeAll(async () => {
  upstream = await startFaultyUpstream();
  const policy = { base_url: upstream.url, api_key: "hunter2", upstream_model: "big-1" };
  gateway = await startGateway({ config: { llm_routes: { policy } } });
  const storage = storageOf(gateway.db_url);
  [store, writer] = await Promise.all([openJobStore(storage), openStore(beside(storage))]);
});
afterAll(async () => {
  await Promise.all([store.close(), writer.close(), gateway.close()]);
  await upstream.close();
});

const write = async (session_id: string, ...status_codes: readonly number[]): Promise<void> => {
  const rows = status_codes.map((status, index) => stepRow(session_id, index + 1, status));
  await writer.writeSteps(rows, { deadline: monotonicMs() + 15_000 });
};

test.each([
  [401, "the route's api_key is missing or wrong"],
  [404, `the route's base_url or its upstream_model ("big-1") is wrong`],
] as const)(
  "an upstream that answers %i is reported with route and cause",
  async (status, cause) => {
    const session_id = `refused-${status}`;
    upstream.script(
      (_request, reply) => void reply.json({ error: { message: "hunter2" } }, { status }),
    );
    expect(await gateway.chat(session_id)).toBe(status);
    expect(await upstreamRefusal(store, session_id, "policy")).toEqual({
      model: "policy",
      step_id: 1,
      upstream_status_code: status,
      message: `Upstream 401 or 404: the upstream of route "policy" at ${upstream.url} answered ${status} to step 1: ${cause}`,
    });
  },
);

test("other failures of the upstream are not refusals of the route", async () => {
  await write("broken", 500, 429, 502);
  expect(await upstreamRefusal(store, "broken", "policy")).toBeNull();
  expect(await upstreamRefusal(store, "unknown", "policy")).toBeNull();
});

test("a route that has answered 200 since is not refused", async () => {
  await write("once", 404, 200, 500);
  expect(await upstreamRefusal(store, "once", "policy")).toBeNull();
  await write("again", 404, 200, 401, 500);
  // Without a replica, such as in rows of before there were any, only the route is named.
  expect(await upstreamRefusal(store, "again", "policy")).toMatchObject({
    step_id: 3,
    message: expect.stringContaining('the upstream of route "policy" answered 401 to step 3'),
  });
});

test("the newest refusal is found across all pages, and other models do not count", async () => {
  await write("long", ...Array.from({ length: 230 }, () => 401));
  expect(await upstreamRefusal(store, "long", "policy")).toMatchObject({ step_id: 230 });
  expect(await upstreamRefusal(store, "long", "judge")).toBeNull();
});

test("an abort ends it with the signal's reason", async () => {
  const signal = AbortSignal.abort("enough");
  await expect(upstreamRefusal(store, "long", "policy", { signal })).rejects.toBe("enough");
});
