import { createHttpClient, type HttpClient, type RetryOptions } from "@proj/http-client";
import { waitFor } from "@proj/test-kit";
import { expect, test, vi } from "vitest";
import { closedPort, cut, json, serve } from "./serve.ts";

const client = (baseUrl: string, retry: RetryOptions | false = {}): HttpClient =>
  createHttpClient({ baseUrl, retry: retry && { minDelayMs: 1, ...retry } });

test("idempotent calls are retried until they succeed", async () => {
  await using server = await serve(json({}, 503), cut, json({}, 429), json({ ok: true }));
  using http = client(server.url);
  expect((await http.request("GET", "/")).body).toEqual({ ok: true });
  expect(server.received).toHaveLength(4);
});

test("the last error is thrown when all attempts have failed", async () => {
  await using server = await serve(json({}, 503), json({}, 502), json({}, 500));
  using http = client(server.url, { retries: 2 });
  await expect(http.request("DELETE", "/")).rejects.toMatchObject({ status: 500 });
  expect(server.received).toHaveLength(3);
});

test("errors that a retry cannot fix are thrown at once", async () => {
  await using server = await serve(json({}, 404), json({}, 503, { "x-should-retry": "false" }));
  using http = client(server.url);
  await expect(http.request("GET", "/")).rejects.toMatchObject({ status: 404 });
  await expect(http.request("GET", "/")).rejects.toMatchObject({ status: 503 });
  expect(server.received).toHaveLength(2);
});

test("other calls are sent once, unless the caller marks them as idempotent", async () => {
  await using server = await serve(cut, json({}, 503), json({}, 503), json({}));
  using http = client(server.url);
  await expect(http.request("POST", "/")).rejects.toMatchObject({ code: "ECONNRESET" });
  await expect(http.request("PATCH", "/")).rejects.toMatchObject({ status: 503 });
  await http.request("POST", "/", { idempotent: true });
  expect(server.received).toHaveLength(4);
});

test("a call that could not be sent is retried, even if it is not idempotent", async () => {
  const sleeps = vi.spyOn(Math, "random").mockReturnValue(0);
  using http = client(await closedPort(), { retries: 2 });
  await expect(http.request("POST", "/")).rejects.toMatchObject({ neverSent: true });
  expect(sleeps).toHaveBeenCalledTimes(2);
  sleeps.mockRestore();
});

test("retries can be switched off for a client and on for a call", async () => {
  await using server = await serve(json({}, 503), json({}, 503), json({}));
  using http = client(server.url, false);
  await expect(http.request("GET", "/")).rejects.toMatchObject({ status: 503 });
  await http.request("GET", "/", { retry: { minDelayMs: 1 } });
});

test.each([
  ["seconds", () => ({ "retry-after": "0.2" })],
  ["milliseconds", () => ({ "retry-after-ms": "200", "retry-after": "60" })],
  ["a date", () => ({ "retry-after": new Date(Date.now() + 1_200).toUTCString() })],
])("Retry-After in %s is honoured", async (_what, headers) => {
  await using server = await serve(
    (res, received) => json({}, 503, headers())(res, received),
    json({}),
  );
  using http = client(server.url);
  const began = performance.now();
  await http.request("GET", "/");
  // A date has a resolution of a second; timers may fire a millisecond early.
  expect(performance.now() - began).toBeGreaterThan(195);
});

test("a Retry-After beyond the total time is not honoured", async () => {
  await using server = await serve(json({}, 503, { "retry-after": "3600" }));
  using http = client(server.url);
  await expect(http.request("GET", "/")).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
  expect(server.received).toHaveLength(1);
});

test("no attempt starts after the total time", async () => {
  await using server = await serve(json({}, 503));
  using http = client(server.url, { retries: 1_000_000, maxDelayMs: 4, totalMs: 500 });
  await expect(http.request("GET", "/")).rejects.toMatchObject({ status: 503 });
  expect(server.received.length).toBeGreaterThan(1);
});

test("an abort ends the wait between two attempts with the signal's reason", async () => {
  await using server = await serve(json({}, 503, { "retry-after": "30" }));
  using http = client(server.url);
  const abort = new AbortController();
  const pending = http.request("GET", "/", { signal: abort.signal });
  const outcome = expect(pending).rejects.toBe("enough");
  await waitFor(() => server.received.length === 1, "the first attempt");
  abort.abort("enough");
  await outcome;
});
