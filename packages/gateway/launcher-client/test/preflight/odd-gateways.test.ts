import { expect, test } from "vitest";
import { createGatewayClient } from "../../src/gateway/gateway-client.ts";
import {
  type PreflightOptions,
  type PreflightReport,
  preflight,
} from "../../src/preflight/preflight.ts";
import { PreflightError, type StartupErrorCode } from "../../src/preflight/startup-error.ts";
import { json, type OddServer, startOddServer } from "../odd-server.ts";

// A file that exists; nothing opens it.
const db_url = "sqlite://package.json";
const storage_id = "one-id";
const ready = {
  status: "ready",
  storage_type: "sqlite",
  storage_config: { db_url },
  max_steps: -1,
  storage_id,
  base_session_path: "/v1/sessions",
};
const models = json({ object: "list", data: [{ id: "policy" }] });
const cloud = { ...ready, storage_type: "cloud", storage_config: { db_url: "postgres://a/b" } };

const check = (
  { url }: OddServer,
  changes: Partial<PreflightOptions> = {},
): Promise<PreflightReport> =>
  preflight({
    gateway: createGatewayClient({ baseUrl: url }),
    storage_type: "sqlite",
    db_url,
    readStorageId: async () => storage_id,
    llm_model: "policy",
    readyTimeoutMs: 1_000,
    ...changes,
  });

async function codes(checks: Promise<unknown>): Promise<readonly StartupErrorCode[]> {
  const error: unknown = await checks.catch((failure: unknown) => failure);
  if (!(error instanceof PreflightError)) throw error;
  return error.errors.map(({ code }) => code);
}

test.each(["starting", "draining", "storage_unavailable", "storage_replaced"])(
  "it waits for a gateway that is %s",
  async (status) => {
    const notYet = json({ ...ready, status }, 503);
    await using server = await startOddServer(notYet, notYet, json(ready), models);
    expect((await check(server)).readiness.status).toBe("ready");
  },
);

test("it stops waiting when the time is up, and reports other errors too", async () => {
  await using server = await startOddServer((res, { request }) => {
    const isReadyz = request === "GET /readyz";
    const answer = isReadyz ? json({ ...ready, status: "draining" }, 503) : models;
    answer(res, { request, body: "", authorization: undefined, at: 0 });
  });
  const checks = check(server, { readyTimeoutMs: 1_500, db_url: "sqlite://other.db" });
  await expect(checks).rejects.toThrow("gateway is not ready: its status is draining");
  expect(await codes(checks)).toEqual(["gateway_not_ready", "storage_mismatch"]);
});

test.each([
  ["a web page", json("<html>")],
  ["another service", json({ status: "ready" })],
  ["one without such a path", json({ detail: "Not Found" }, 404)],
])("%s is not a gateway", async (_what, answer) => {
  await using server = await startOddServer(answer);
  const checks = check(server);
  await expect(checks).rejects.toThrow(
    `what listens at --gateway-base-url is not a gateway: GET ${server.url}/readyz`,
  );
  expect(await codes(checks)).toEqual(["not_a_gateway"]);
});

test("a proxy whose gateway is away", async () => {
  await using server = await startOddServer(json({}, 502));
  const checks = check(server, {
    gateway: createGatewayClient({ baseUrl: server.url, timeoutMs: 1_000 }),
  });
  await expect(checks).rejects.toThrow("gateway is not reachable: ");
});

test("a gateway that refuses", async () => {
  const error = { message: "The origin is foreign.", code: "origin_not_allowed" };
  await using server = await startOddServer(json(ready), json({ error }, 403));
  const checks = check(server);
  await expect(checks).rejects.toThrow("403: origin_not_allowed: The origin is foreign.");
  expect(await codes(checks)).toEqual(["gateway_refused"]);
});

test("a gateway with only the basic interface passes if its answers do", async () => {
  const { storage_type, storage_config, max_steps } = ready;
  const specified = json({ storage_type, storage_config, max_steps });
  await using server = await startOddServer(specified, json({}, 404));
  expect(await check(server)).toMatchObject({
    readiness: { status: "ready", storage_id: null, base_session_path: null },
    models: null,
  });
  await using other = await startOddServer(specified, json({}, 404));
  expect(await codes(check(other, { db_url: "sqlite://other.db" }))).toEqual(["storage_mismatch"]);
});

test("cloud storages are compared by their ids, as hosts have many names", async () => {
  await using server = await startOddServer(json(cloud), models);
  const ours = { storage_type: "cloud", db_url: "postgres://u:hunter2@other/b" } as const;
  expect((await check(server, ours)).models).toEqual(["policy"]);
  await using other = await startOddServer(json({ ...cloud, storage_id: "another" }), models);
  const checks = check(other, ours);
  await expect(checks).rejects.toThrow(
    'gateway storage does not match launcher --db-path: the gateway uses "postgres://a/b", the launcher "postgres://u:***@other/b", and they are two databases',
  );
});

test("a relative name may be two files: the message says why", async () => {
  await using server = await startOddServer(json(ready), models);
  await expect(check(server, { readStorageId: async () => "another" })).rejects.toThrow(
    /two files: .*; a relative path is relative to the folder in which each of the two was started/,
  );
});

test("an abort ends it with the signal's reason", async () => {
  await using server = await startOddServer(json({ ...ready, status: "starting" }, 503));
  const abort = new AbortController();
  const checks = check(server, { signal: abort.signal, readyTimeoutMs: 60_000 });
  const outcome = expect(checks).rejects.toBe("enough");
  setTimeout(() => abort.abort("enough"), 20);
  await outcome;
});
