import {
  chatCompletion,
  rawRequest,
  startDemoUpstream,
  startFaultyUpstream,
  waitFor,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { inFlight, sessionClient } from "../session/session-client.ts";
import { startGateway } from "../start-gateway.ts";
import { holdWriteLock } from "../telemetry/write-lock.ts";
import { expectError, expectRetryAfter } from "./error-answer.ts";

const body = { model: "demo", messages: [{ role: "user", content: "Hello" }] };

test("closing and closed sessions refuse requests", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const session = sessionClient(gateway, "s");
  const answer = session.chat();
  const { reply } = await upstream.nextRequest();
  await session.close({ reason: "enough" });

  const whileClosing = await session.chat();
  expect(whileClosing.headers.get("x-gateway-session-id")).toBe("s");
  expect(whileClosing.headers.get("retry-after")).toBeNull();
  const message = await expectError(whileClosing, "session_closed");
  expect(message).toContain("'s' is closing (enough)");

  await reply.json(chatCompletion());
  await answer;
  await session.closeAndWait();
  expect(await expectError(await session.chat(), "session_closed")).toContain("is closed");
  expect(upstream.requests).toHaveLength(1);
});

test("clean refuses a session that is not closed", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  await sessionClient(gateway, "s").chat();
  const response = await gateway.post("/v1/sessions/s/clean", "");
  expect(await expectError(response, "session_not_closed")).toContain("'s' is active");
});

test("the status of a session that was never opened is a 404", async () => {
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: "http://x/v1" } } });
  const response = await fetch(gateway.sessionUrl("nobody"));
  expect(response.headers.get("x-gateway-session-id")).toBe("nobody");
  expect(await expectError(response, "session_not_found")).toContain("'nobody'");
});

test("a full queue and a queue time-out both say when to retry", async () => {
  await using upstream = await startFaultyUpstream();
  const route = { base_url: upstream.url, max_concurrency: 1 };
  await using gateway = await startGateway({
    llm_routes: {
      demo: { ...route, max_queue: 0 },
      patient: { ...route, queue_timeout_s: 0.05 },
    },
  });
  const session = sessionClient(gateway, "s");
  const answers = [session.chat(), session.chat({ model: "patient" })];
  const requests = [await upstream.nextRequest(), await upstream.nextRequest()];
  for (const model of ["demo", "patient"]) {
    const refused = await session.chat({ model });
    expectRetryAfter(refused.headers);
    expect(refused.headers.get("x-gateway-session-id")).toBe("s");
    expect(refused.headers.get("x-gateway-step-id")).toBeNull();
    await expectError(refused, "route_saturated");
  }
  // The timing shows that the request waited in vain.
  const timing = (await session.chat({ model: "patient" })).headers.get("server-timing");
  expect(Number(/queue;dur=([\d.]+)/.exec(timing ?? "")?.[1])).toBeGreaterThan(40);
  for (const { reply } of requests) await reply.json(chatCompletion());
  await Promise.all(answers);
});

test("a row that cannot be written is a 503, retryable only before forwarding", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    telemetry: { write_timeout_s: 1 },
  });
  const session = sessionClient(gateway, "s");
  await session.chat();
  using _lock = holdWriteLock(gateway.databasePath);
  const forwarded = await session.chat();
  expectRetryAfter(forwarded.headers);
  expect(forwarded.headers.get("x-gateway-step-id")).toBe("2");
  await expectError(forwarded, "telemetry_unavailable", { retry: false });

  const refused = await session.chat();
  expectRetryAfter(refused.headers);
  expect(refused.headers.get("x-gateway-step-id")).toBeNull();
  await expectError(refused, "telemetry_unavailable", { retry: true });
  expect(upstream.requests).toHaveLength(2);
});

test("steps and latest-success-step answer 503 if storage cannot be read", async () => {
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: "http://x/v1" } } });
  gateway.database((database) =>
    database.exec("pragma legacy_alter_table = on; alter table stored_steps rename to elsewhere"),
  );
  for (const path of ["/steps", "/latest-success-step?model=demo"]) {
    const response = await fetch(gateway.sessionUrl("s") + path);
    expectRetryAfter(response.headers);
    const message = await expectError(response, "storage_unavailable");
    expect(message).not.toContain("stored_steps");
  }
});

test("a gateway that is shutting down refuses model requests and closes their connections", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const session = sessionClient(gateway, "s");
  const answer = session.chat();
  const { reply } = await upstream.nextRequest();
  const closed = gateway.gateway.close();
  for (const path of ["/v1/chat/completions", "/v1/sessions/s/chat/completions"]) {
    const refused = await gateway.post(path, body);
    expectRetryAfter(refused.headers);
    expect(refused.headers.get("connection")).toBe("close");
    expect(refused.headers.get("x-gateway-session-id")).toBe(path.includes("/s/") ? "s" : null);
    await expectError(refused, "gateway_draining");
  }
  // Its launcher can still see what is in flight, and close it.
  expect((await session.status()).in_flight).toBe(1);
  await reply.json(chatCompletion());
  expect((await answer).status).toBe(200);
  await closed;
});

test("bodies beyond max_buffered_bytes are refused unread until there is room again", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_body_bytes: 20_000,
    max_buffered_bytes: 20_000,
  });
  const path = "/v1/sessions/s/chat/completions";
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 15000\r\n\r\n`;
  await using holder = await rawRequest(gateway.port, `${head}{"model":"demo"${" ".repeat(9_985)}`);
  const buffered = async (): Promise<boolean> => {
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    return text.includes("\ngateway_buffered_bytes 10000\n");
  };
  await waitFor(buffered, "ten thousand bytes to be in memory");

  const refused = await gateway.post(path, { ...body, padding: "x".repeat(15_000) });
  expectRetryAfter(refused.headers);
  await expectError(refused, "overloaded");
  expect(upstream.requests).toEqual([]);
  expect((await gateway.post(path, body)).status).toBe(200);

  holder.reset();
  await waitFor(async () => !(await buffered()), "the memory to be free again");
  const large = { ...body, padding: "x".repeat(15_000) };
  expect((await gateway.post(path, large)).status).toBe(200);
});

test("sessions beyond max_sessions are refused while none can leave memory", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_sessions: 1,
  });
  const first = sessionClient(gateway, "first");
  const answer = first.chat();
  const { reply } = await upstream.nextRequest();
  await inFlight(first, 1);
  const refused = await sessionClient(gateway, "second").chat();
  expectRetryAfter(refused.headers);
  expect(await expectError(refused, "overloaded")).toContain("sessions");
  await reply.json(chatCompletion());
  await answer;
});
