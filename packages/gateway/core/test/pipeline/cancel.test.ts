import {
  chatCompletion,
  chatStream,
  type FaultyUpstream,
  jsonBytes,
  type RecordedRequest,
  rawRequest,
  startFaultyUpstream,
  waitFor,
} from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatPath, chatRequest, metric, onlyStep, rawPost } from "../telemetry/bound-calls.ts";
import { type RawCaller, rawCall } from "../telemetry/raw-caller.ts";
import { atRest } from "./at-rest.ts";
import { expectNoWarnings } from "./no-warnings.ts";

// A caller that leaves cancels its upstream request at once: the upstream sees it while it is still
// answering. The route has one place, so a place that is not given back would show.

expectNoWarnings();

let upstream: FaultyUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
  gateway = await startGateway(
    { llm_routes: { policy: { base_url: upstream.url, max_concurrency: 1 } } },
    // A gateway that took a cancelled answer for a complete one would wait, and so would the test.
    { streamTimes: { keepAliveMs: 60_000, lingerMs: 60_000, farewellMs: 60_000 } },
  );
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const completion = jsonBytes(chatCompletion());
const [firstEvent = Buffer.alloc(0)] = chatStream(chatCompletion());
const requestBytes = jsonBytes(chatRequest({ stream: false })).length;

const bindings = ["bound", "unbound"] as const;
const ways = ["destroy", "reset"] as const;
const cases = bindings.flatMap((binding) =>
  [true, false].flatMap((stream) =>
    ways.map((way) => ({ binding, stream, way, session_id: `${way}-${stream}` })),
  ),
);
type Case = (typeof cases)[number];

const pathOf = ({ binding, session_id }: Case, moment: string): string =>
  binding === "bound" ? chatPath(`${session_id}-${moment}`) : "/v1/chat/completions";

async function call(each: Case, moment: string): Promise<[RawCaller, RecordedRequest]> {
  const caller = await rawCall(gateway, pathOf(each, moment), chatRequest({ stream: each.stream }));
  return [caller, await upstream.nextRequest()];
}

/** Nothing is left of the call, its row says what happened, and its place is free. */
async function expectGivenUp(each: Case, moment: string, meta: object): Promise<void> {
  if (each.binding === "bound") {
    const session_id = `${each.session_id}-${moment}`;
    await atRest(gateway, session_id);
    expect(await onlyStep(gateway, session_id)).toMatchObject({
      status_code: 499,
      meta: { outcome: "caller_gone", error: "the caller left", ...meta },
    });
  } else await atRest(gateway);
  const next = gateway.post(pathOf(each, "next"), chatRequest());
  await (await upstream.nextRequest()).reply.send(completion);
  expect((await next).status).toBe(200);
}

test.for(cases)(
  "a caller that leaves before the first byte cancels its upstream request at once ($binding, stream: $stream, $way)",
  async (each) => {
    const [caller, request] = await call(each, "before");
    caller.connection[each.way]();
    await request.closed();
    await expectGivenUp(each, "before", { upstream_status_code: null, response_bytes: 0 });
  },
);

test.for(cases)(
  "a caller that leaves between two chunks cancels its upstream request at once ($binding, stream: $stream, $way)",
  async (each) => {
    const [caller, request] = await call(each, "between");
    const sent = each.stream ? firstEvent : completion.subarray(0, 30);
    if (each.stream) await request.reply.startEvents();
    else await request.reply.start({ headers: { "content-type": "application/json" } });
    await request.reply.write(sent);
    if (each.binding === "unbound" || each.stream) await caller.until(sent.toString());
    else {
      // A bound answer that is not a stream is withheld; only the memory shows that part of it has come.
      const held = (): Promise<number> => metric(gateway, "gateway_buffered_bytes");
      await waitFor(async () => (await held()) > requestBytes, "the first chunk");
      expect(caller.received.status).toBeNull();
    }
    caller.connection[each.way]();
    await request.closed();
    const meta = { upstream_status_code: 200, response_bytes: sent.length };
    await expectGivenUp(each, "between", meta);
  },
);

test.for(cases.filter(({ stream }) => stream))(
  "a caller that leaves after the headers of a stream cancels it at once ($binding, $way)",
  async (each) => {
    const [caller, request] = await call(each, "headers");
    await request.reply.startEvents();
    await waitFor(() => caller.received.status, "the headers");
    caller.connection[each.way]();
    await request.closed();
    await expectGivenUp(each, "headers", { upstream_status_code: 200, response_bytes: 0 });
  },
);

test.for(bindings)(
  "a caller that leaves while it waits for a place is never forwarded (%s)",
  async (binding) => {
    const path = binding === "bound" ? chatPath("queue") : "/v1/chat/completions";
    const ahead = gateway.post(path, chatRequest());
    const request = await upstream.nextRequest();
    const forwarded = upstream.requests.length;
    const waiting = (count: number): Promise<true> =>
      waitFor(
        async () => (await metric(gateway, 'gateway_requests_waiting{model="policy"}')) === count,
        `${count} to wait`,
      );
    await using caller = await rawCall(gateway, path, chatRequest({ stream: true }));
    await waiting(1);
    caller.connection.destroy();
    await waiting(0);
    await request.reply.send(completion);
    expect((await ahead).status).toBe(200);
    await atRest(gateway, ...(binding === "bound" ? ["queue"] : []));
    expect(upstream.requests.length).toBe(forwarded);
    // A request cancelled in the queue took no step.
    if (binding === "bound") expect((await onlyStep(gateway, "queue")).step_id).toBe(1);
  },
);

test("a caller that leaves in the middle of its request is never forwarded", async () => {
  const forwarded = upstream.requests.length;
  const caller = await rawCall(gateway, chatPath("half-sent"), chatRequest());
  const request = await upstream.nextRequest();
  // The second request on the connection has only begun.
  await caller.connection.write(
    `POST ${chatPath("half-sent")} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"model":`,
  );
  caller.connection.destroy();
  await request.closed();
  await atRest(gateway, "half-sent");
  expect(upstream.requests.length).toBe(forwarded + 1);
  expect(await onlyStep(gateway, "half-sent")).toMatchObject({ step_id: 1, status_code: 499 });
});

test("a caller that leaves cancels the request that waits behind another on its connection too", async () => {
  const gateway = await startGateway({ llm_routes: { policy: { base_url: upstream.url } } });
  const request = rawPost(chatPath("pipelined"), chatRequest()).replace(
    "connection: close",
    "x-a: b",
  );
  const caller = await rawRequest(gateway.port, request + request);
  const requests = [await upstream.nextRequest(), await upstream.nextRequest()];
  caller.destroy();
  for (const each of requests) await each.closed();
  await atRest(gateway, "pipelined");
  expect(gateway.steps("pipelined").map(({ status_code }) => status_code)).toEqual([499, 499]);
  await gateway.close();
});
