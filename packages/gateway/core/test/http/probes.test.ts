import { chatCompletion, startFaultyUpstream, temporaryFolder, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { Readiness } from "../../src/http/readiness.ts";
import { parsePrometheusText, sampleValue } from "../metrics/prometheus-text.ts";
import { inFlight, sessionClient } from "../session/session-client.ts";
import { startGateway } from "../start-gateway.ts";
import { holdWriteLock } from "../telemetry/write-lock.ts";

const nowhere = { llm_routes: { demo: { base_url: "http://127.0.0.1:9/v1" } } };

test("healthz answers ok and nothing else", async () => {
  await using gateway = await startGateway(nowhere);
  const response = await fetch(`${gateway.url}/healthz`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.text()).toBe('{"status":"ok"}');
});

test("readyz returns the storage as configured and the limits of sessions", async () => {
  await using gateway = await startGateway({ ...nowhere, max_steps: 12 });
  const response = await fetch(`${gateway.url}/readyz`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    status: "ready",
    storage_type: "sqlite",
    storage_config: { db_url: `sqlite://${gateway.databasePath}` },
    max_steps: 12,
    storage_id: expect.stringMatching(/^\S{8,}$/),
    telemetry_mode: "strict",
    base_session_path: "/v1/sessions",
  });
});

test("the storage_id belongs to the database: it survives a restart and differs between databases", async () => {
  const storageId = async (folder?: string): Promise<readonly [string, string]> => {
    await using gateway = await startGateway(nowhere, folder === undefined ? {} : { folder });
    const body = (await (await fetch(`${gateway.url}/readyz`)).json()) as { storage_id: string };
    return [body.storage_id, gateway.folder];
  };
  await using folder = await temporaryFolder();
  const one = await storageId(folder.path);
  expect(await storageId(folder.path)).toEqual(one);
  expect((await storageId())[0]).not.toBe(one[0]);
});

test("a gateway is starting until it listens, then ready", async () => {
  const readiness = new Readiness({ failure: null }, { ask: async () => {}, warnings: [] });
  expect(readiness.status).toBe("starting");
  readiness.started();
  expect(readiness.status).toBe("ready");
});

test("readyz is storage_unavailable while storage cannot be written, and ready again once it can", async () => {
  await using upstream = await startFaultyUpstream((_request, reply) => {
    void reply.json(chatCompletion());
  });
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    telemetry: { write_timeout_s: 1 },
  });
  const readiness = async (): Promise<string> => {
    const response = await fetch(`${gateway.url}/readyz`);
    const { status } = (await response.json()) as { status: string };
    expect(response.status).toBe(status === "ready" ? 200 : 503);
    return status;
  };
  const session = sessionClient(gateway, "s");
  await session.chat();
  {
    using _lock = holdWriteLock(gateway.databasePath);
    await session.chat();
    expect(await readiness()).toBe("storage_unavailable");
    // It is alive, so a supervisor leaves it running.
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  }
  await waitFor(async () => (await readiness()) === "ready", "the gateway to be ready again");
});

test("readyz is draining from the first moment of a shutdown, while requests are still served", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    shutdown_delay_s: 3,
  });
  const session = sessionClient(gateway, "s");
  const first = session.chat();
  const { reply } = await upstream.nextRequest();
  const closed = gateway.gateway.close();
  const response = await fetch(`${gateway.url}/readyz`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ status: "draining", storage_type: "sqlite" });

  const second = session.chat();
  const late = await upstream.nextRequest();
  await reply.json(chatCompletion());
  await late.reply.json(chatCompletion());
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  expect(await closed).toEqual({ lost_rows: 0 });
});

test("after traffic, metrics has the documented series and no other labels", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    max_steps: 2,
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1 } },
  });
  const session = sessionClient(gateway, "secret-session");
  const answers = [session.chat()];
  const { reply } = await upstream.nextRequest();
  answers.push(session.chat());
  await inFlight(session, 2);
  const scrape = async () =>
    parsePrometheusText(await (await fetch(`${gateway.url}/metrics`)).text());
  const during = await scrape();
  expect(sampleValue(during, "gateway_requests_in_flight", { model: "demo" })).toBe(1);
  expect(sampleValue(during, "gateway_requests_waiting", { model: "demo" })).toBe(1);

  await reply.json(chatCompletion());
  await (await upstream.nextRequest()).reply.json(chatCompletion());
  for (const answer of answers) await (await answer).text();
  await (await session.chat()).text();
  await (await session.chat({ model: "nobody" })).text();
  await session.closeAndWait();
  await (await session.chat()).text();

  const after = await scrape();
  const route = { model: "demo", endpoint: "chat_completions" };
  const outcome = { ...route, status_code: "200", outcome: "completed" };
  const values: readonly (readonly [string, Record<string, string>, number])[] = [
    ["gateway_requests_admitted_total", route, 2],
    ["gateway_requests_finished_total", outcome, 2],
    ["gateway_requests_refused_total", { reason: "session_closed" }, 1],
    ["gateway_requests_refused_total", { reason: "model_not_found" }, 1],
    ["gateway_synthetic_stops_total", route, 1],
    ["gateway_requests_in_flight", { model: "demo" }, 0],
    ["gateway_requests_waiting", { model: "demo" }, 0],
    ["gateway_request_duration_seconds_count", route, 2],
    ["gateway_time_to_first_byte_seconds_count", route, 2],
    ["gateway_queue_wait_seconds_count", { model: "demo" }, 2],
    ["gateway_telemetry_queue_rows", {}, 0],
    ["gateway_telemetry_queue_bytes", {}, 0],
    ["gateway_telemetry_rows_written_total", {}, 2],
    ["gateway_telemetry_rows_lost_total", { reason: "queue_full" }, 0],
    ["gateway_sessions_active", {}, 0],
    ["gateway_sessions_closing", {}, 0],
    ["gateway_sessions_closed", {}, 1],
    ["gateway_buffered_bytes", {}, 0],
  ];
  for (const [name, labels, value] of values)
    expect([name, sampleValue(after, name, labels)]).toEqual([name, value]);
  expect(sampleValue(after, "gateway_prompt_tokens_total", { model: "demo" })).toBeGreaterThan(0);
  expect([...after.keys()].some((name) => name.includes("event_loop_lag"))).toBe(true);

  const documented = new Set(["model", "endpoint", "status_code", "outcome", "reason", "le"]);
  for (const [family, { samples }] of after)
    for (const { labels } of samples)
      for (const name of Object.keys(labels))
        if (family.startsWith("gateway_") && name !== "quantile")
          expect([family, name, documented.has(name)]).toEqual([family, name, true]);
  expect(JSON.stringify([...after])).not.toContain("secret-session");
  expect(JSON.stringify([...after])).not.toContain("nobody");
});
