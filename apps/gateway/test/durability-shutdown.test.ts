import {
  chatCompletion,
  chatStream,
  type RecordedRequest,
  startDemoUpstream,
  startFaultyUpstream,
  temporaryFolder,
  waitFor,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { startLoad } from "./load.ts";
import { postChat, serveGateway, storedRows } from "./served-gateway.ts";

const completion = chatCompletion();
const events = chatStream(completion);

/** Answers a request in the form that it asks for. */
async function answerWhole({ reply, ...request }: RecordedRequest): Promise<void> {
  const { stream } = JSON.parse(request.body.toString());
  await (stream ? reply.events(events) : reply.json(completion));
}

/** Resolves once the gateway refuses all model traffic, not only requests for an unknown route. */
async function refusesRequests(url: string): Promise<void> {
  await waitFor(async () => {
    const body = JSON.stringify({ model: "none", messages: [] });
    const answer = await fetch(`${url}/v1/chat/completions`, { method: "POST", body });
    await answer.text();
    return answer.status === 503;
  }, "the gateway to refuse requests");
}

test("SIGTERM lets requests in flight finish, refuses new ones, writes all rows and exits with 0", async () => {
  await using folder = await temporaryFolder();
  await using upstream = await startFaultyUpstream();
  const { program, url } = await serveGateway(folder.path, upstream.url);
  await using running = program;
  const calls = [0, 1, 2, 3, 4, 5].map((number) =>
    postChat(url, `session-${number}`, number % 2 === 0),
  );
  const requests = await Promise.all(calls.map(() => upstream.nextRequest()));
  running.kill("SIGTERM");
  await running.line(/^SIGTERM: finishing what is in flight/);
  await refusesRequests(url);
  const refused = await postChat(url, "session-0");
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ error: { code: "gateway_draining" } });
  expect(refused.headers.get("x-should-retry")).toBe("true");
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(refused.headers.get("connection")).toBe("close");
  const readiness = await fetch(`${url}/readyz`);
  expect(readiness.status).toBe(503);
  expect(await readiness.json()).toMatchObject({ status: "draining" });

  await Promise.all(requests.map(answerWhole));
  const texts = await Promise.all(calls.map(async (call) => (await call).text()));
  texts.forEach((text, number) => {
    expect(text).toBe(number % 2 === 0 ? events.join("") : JSON.stringify(completion));
  });
  expect(await running.exit()).toEqual({ code: 0, signal: null });
  expect(running.stdout).toContain("All rows are written.");
  expect(storedRows(folder.path).map(({ status_code }) => status_code)).toEqual(
    calls.map(() => 200),
  );
});

test("SIGTERM under load answers every request in full or refuses it, and loses no row", async () => {
  await using folder = await temporaryFolder();
  await using upstream = await startDemoUpstream({ delayMs: 1 });
  const { program, url } = await serveGateway(folder.path, upstream.url);
  await using running = program;
  const load = startLoad(url, 32);
  await load.reached(100);
  running.kill("SIGTERM");
  expect(await running.exit()).toEqual({ code: 0, signal: null });
  await load.ended();
  // Callers that came even later found the port closed.
  expect(new Set(load.refused)).toEqual(
    new Set(load.refused.length > 0 ? ["gateway_draining"] : []),
  );
  const rows = storedRows(folder.path);
  const successes = rows.filter(({ status_code }) => status_code === 200);
  // All callers stayed, so everything that was forwarded was also delivered.
  expect(successes).toHaveLength(rows.length);
  expect(successes).toHaveLength(load.whole.length);
  expect(new Set(successes.map(({ session_id, step_id }) => `${session_id} ${step_id}`))).toEqual(
    new Set(load.whole.map(({ session_id, step_id }) => `${session_id} ${step_id}`)),
  );
});

test("a second signal ends the program at once", async () => {
  await using folder = await temporaryFolder();
  await using upstream = await startFaultyUpstream();
  const { program, url } = await serveGateway(folder.path, upstream.url);
  await using running = program;
  const call = postChat(url, "stuck");
  call.catch(() => {});
  const request = await upstream.nextRequest();
  running.kill("SIGTERM");
  await running.line(/^SIGTERM: finishing what is in flight/);
  running.kill("SIGTERM");
  expect((await running.exit()).code).not.toBe(0);
  await request.closed();
  await expect(call).rejects.toThrow();
});

test("after drain_timeout_s, requests in flight are ended and recorded, and the program exits", async () => {
  await using folder = await temporaryFolder();
  await using upstream = await startFaultyUpstream();
  const { program, url } = await serveGateway(folder.path, upstream.url, "drain_timeout_s: 0.2");
  await using running = program;
  const plain = postChat(url, "plain");
  const plainRequest = await upstream.nextRequest();
  const streamed = postChat(url, "stream", true);
  const streamRequest = await upstream.nextRequest();
  await streamRequest.reply.startEvents();
  await streamRequest.reply.write(events[0] ?? "");
  const stream = await streamed;
  running.kill("SIGTERM");
  const answer = await plain;
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ error: { code: "gateway_draining" } });
  expect(await stream.text()).toContain('"code":"gateway_draining"');
  await Promise.all([plainRequest.closed(), streamRequest.closed()]);
  expect(await running.exit()).toEqual({ code: 0, signal: null });
  const rows = storedRows(folder.path).toSorted((a, b) => (a.session_id < b.session_id ? -1 : 1));
  expect(rows).toMatchObject([
    { session_id: "plain", status_code: 499, outcome: "not_delivered" },
    { session_id: "stream", status_code: 499, outcome: "not_delivered" },
  ]);
});
