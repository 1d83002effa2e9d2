import { startDemoUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { refusal, reply, sessionClient } from "./session-client.ts";

const noRoutes = { llm_routes: { demo: { base_url: "http://127.0.0.1:9/v1" } } };

test("the first close answers closing with Retry-After even if nothing is in flight; a poll answers closed without it", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    session_close_retry_after_s: 7,
  });
  const session = sessionClient(gateway, "s");
  await (await session.chat()).text();

  const first = await session.close();
  expect([first.status, first.body.status]).toEqual([200, "closing"]);
  expect(first.headers.get("retry-after")).toBe("7");
  expect(first.body.closed_at).toBeNull();
  expect(first.body.close).toMatchObject({ reason: null, telemetry: "pending", forced: false });

  const poll = await session.close();
  expect([poll.status, poll.body.status]).toEqual([200, "closed"]);
  expect(poll.headers.get("retry-after")).toBeNull();
  expect(poll.body.closed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(poll.body.close).toEqual({
    reason: null,
    drained: true,
    telemetry: "flushed",
    lost_rows: 0,
    forced: false,
  });
  expect(await session.status()).toEqual(poll.body);
});

test("Retry-After is 10 seconds by default", async () => {
  await using gateway = await startGateway(noRoutes);
  const { headers } = await sessionClient(gateway, "s").close();
  expect(headers.get("retry-after")).toBe("10");
});

test("a waiting close answers closed at once if nothing is in flight, even as the first one", async () => {
  await using gateway = await startGateway(noRoutes);
  const { body, headers } = await sessionClient(gateway, "s").close(undefined, "?wait=30");
  expect(body.status).toBe("closed");
  expect(headers.get("retry-after")).toBeNull();
});

test("closing an unknown session opens and closes it, so that no launcher is stranded", async () => {
  await using gateway = await startGateway(noRoutes);
  const session = sessionClient(gateway, "unknown");
  expect((await session.close({ reason: "restarted" })).body.status).toBe("closing");
  const { body } = await session.close();
  expect(body).toMatchObject({ status: "closed", models: {}, environment: null, in_flight: 0 });
  expect(body.close).toMatchObject({ reason: "restarted", drained: true, telemetry: "flushed" });
  expect(await refusal(await session.chat())).toBe("400 session_closed, retry false");
});

test("the reason of the first close is kept, and is in the refusal", async () => {
  await using gateway = await startGateway(noRoutes);
  const session = sessionClient(gateway, "s");
  await session.close({ reason: "episode over" });
  const { body } = await session.close({ reason: "another" });
  expect(body.close?.reason).toBe("episode over");
  const { error } = (await (await session.chat()).json()) as { error: { message: string } };
  expect(error.message).toContain("episode over");
});

test("a close with an invalid body or wait is refused, and closes nothing", async () => {
  await using gateway = await startGateway(noRoutes);
  const asked: [path: string, body: string][] = [
    ["/close", '{"reason":1}'],
    ["/close", JSON.stringify({ reason: "x".repeat(1001) })],
    ["/close", '{"mode":"later"}'],
    ["/close", "[]"],
    ["/close", '"drain"'],
    ["/close", "null"],
    ["/close", "{"],
    ["/close?wait=soon", ""],
    ["/close?wait=-1", ""],
    ["/close?wait=1&wait=2", ""],
  ];
  for (const [path, body] of asked) {
    const answer = await gateway.post(`/v1/sessions/s${path}`, body);
    expect([path, body, await refusal(answer)]).toEqual([
      path,
      body,
      "400 invalid_request, retry false",
    ]);
  }
  const status = await fetch(gateway.sessionUrl("s"));
  expect(await refusal(status)).toBe("404 session_not_found, retry false");
});

test("a close without a body, with an empty one, or with any content-type is a plain close", async () => {
  await using gateway = await startGateway(noRoutes);
  const bodies = [undefined, "", "{}", '{"mode":"drain","later":true}'];
  for (const [index, body] of bodies.entries()) {
    const answer = await fetch(`${gateway.sessionUrl(`s${index}`)}/close`, {
      method: "POST",
      headers: { "content-type": "text/plain" },
      ...(body === undefined ? {} : { body }),
    });
    expect(await reply(answer)).toMatchObject({ status: 200, body: { status: "closing" } });
  }
});
