import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { Cancellation } from "../../src/call/cancellation.ts";
import { CallerGoneError } from "../../src/errors/gateway-error.ts";
import {
  collect,
  createCall,
  listen,
  type Setting,
  type Upstreams,
  upstreamsTo,
} from "./upstream-fixture.ts";

const reason = new CallerGoneError("gone");

interface Opened {
  readonly upstreams: Upstreams;
  readonly nextRequest: () => Promise<ServerResponse>;
}

async function open(setting: Setting = {}): Promise<Opened> {
  const server = createServer();
  const origin = await listen(server);
  const nextRequest = async (): Promise<ServerResponse> => {
    const [request, response]: [IncomingMessage, ServerResponse] = (await once(
      server,
      "request",
    )) as [IncomingMessage, ServerResponse];
    request.resume();
    return response;
  };
  return { upstreams: upstreamsTo(origin, setting), nextRequest };
}

describe("a call that is cancelled", () => {
  it("before it is forwarded never reaches the upstream", async () => {
    const { upstreams } = await open();
    const cancellation = new Cancellation();
    cancellation.cancel(reason);
    await expect(upstreams.forward(createCall({ cancellation }))).rejects.toBe(reason);
    expect(upstreams.replicas()[0]?.in_flight).toBe(0);
  });

  it("during connection setup fails at once, and its request is never sent", async () => {
    const { upstreams, nextRequest } = await open();
    const cancellation = new Cancellation();
    const first = upstreams.forward(createCall({ cancellation, headers: { "x-call": "first" } }));
    cancellation.cancel(reason);
    await expect(first).rejects.toBe(reason);
    expect(upstreams.replicas()[0]?.in_flight).toBe(0);
    const requested = nextRequest();
    const second = upstreams.forward(createCall({ headers: { "x-call": "second" } }));
    const response = await requested;
    expect(response.req.headers["x-call"]).toBe("second");
    response.end();
    expect((await second).status).toBe(200);
  });

  it("before headers fails at once with the reason, and the upstream sees the connection close", async () => {
    const { upstreams, nextRequest } = await open();
    const cancellation = new Cancellation();
    const requested = nextRequest();
    const pending = upstreams.forward(createCall({ cancellation }));
    const response = await requested;
    const closed = once(response, "close");
    cancellation.cancel(reason);
    await expect(pending).rejects.toBe(reason);
    expect(upstreams.replicas()[0]?.in_flight).toBe(0);
    await closed;
    expect(response.writableFinished).toBe(false);
  });

  it("after headers continues until its body is cancelled, which the upstream sees", async () => {
    const { upstreams, nextRequest } = await open();
    const cancellation = new Cancellation();
    const requested = nextRequest();
    const pending = upstreams.forward(createCall({ cancellation }));
    const response = await requested;
    const closed = once(response, "close");
    response.write("a");
    const answer = await pending;
    const sink = collect(answer.body);
    cancellation.cancel(reason);
    expect(sink.endings).toBe(0);
    answer.body.cancel(reason);
    expect(await sink.ended).toBe(reason);
    expect(sink.endings).toBe(1);
    await answer.received.promise();
    await closed;
    expect(upstreams.replicas()[0]?.in_flight).toBe(0);
  });

  it("before its body has a sink drops the upstream too", async () => {
    const { upstreams, nextRequest } = await open();
    const requested = nextRequest();
    const pending = upstreams.forward(createCall());
    const response = await requested;
    const closed = once(response, "close");
    response.write("a");
    const { body, received } = await pending;
    body.cancel(reason);
    await received.promise();
    await closed;
    expect(await collect(body).ended).toBe(reason);
  });

  it("while it waits for a retry ends at once, without a retry", async () => {
    const { upstreams, nextRequest } = await open({ route: { retries: 1 } });
    const cancellation = new Cancellation();
    const requested = nextRequest();
    const pending = upstreams.forward(createCall({ cancellation }));
    const response = await requested;
    response.writeHead(503, { "retry-after": "5" }).end();
    await once(response, "close");
    // The answer is read in the turns that follow; the wait has begun once nothing is in flight.
    while (upstreams.replicas()[0]?.in_flight !== 0) await new Promise(setImmediate);
    cancellation.cancel(reason);
    await expect(pending).rejects.toBe(reason);
  });
});

describe("close", () => {
  it("fails requests in flight, before headers and after", async () => {
    const { upstreams, nextRequest } = await open();
    const requested = nextRequest();
    const answering = upstreams.forward(createCall());
    (await requested).write("a");
    const sink = collect((await answering).body);
    const requestedToo = nextRequest();
    const waiting = upstreams.forward(createCall());
    await requestedToo;
    const failed = expect(waiting).rejects.toMatchObject({ code: "gateway_draining" });
    await upstreams.close();
    await failed;
    expect(await sink.ended).toMatchObject({ code: "gateway_draining" });
    await expect(upstreams.forward(createCall())).rejects.toMatchObject({
      code: "gateway_draining",
    });
  });
});
