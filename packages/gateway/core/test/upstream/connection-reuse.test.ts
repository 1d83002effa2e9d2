import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import {
  createCall,
  failureOf,
  listenRaw,
  readText,
  type Upstreams,
  upstreamsTo,
} from "./upstream-fixture.ts";

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

interface Server {
  readonly upstreams: Upstreams;
  /** The number of requests on each connection. */
  readonly connections: number[];
}

/** Answers the first request of each connection; the function handles the others. */
async function serve(
  onLater: (socket: Socket) => void,
  onFresh?: (socket: Socket) => void,
): Promise<Server> {
  const connections: number[] = [];
  const origin = await listenRaw((socket, nth) => {
    if (nth === 1) connections.push(1);
    else connections[connections.length - 1] = nth;
    if (nth > 1) onLater(socket);
    else if (onFresh === undefined || connections.length === 1) socket.write(ok);
    else onFresh(socket);
  });
  return { upstreams: upstreamsTo(origin), connections };
}

/** undici reuses a connection one turn after its answer. */
async function forwardOnce(upstreams: Upstreams): Promise<number> {
  const answer = await upstreams.forward(createCall());
  expect(await readText(answer)).toBe("ok");
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  return answer.upstream?.attempts ?? 0;
}

describe("a reused connection", () => {
  it("takes one request after the other", async () => {
    const { upstreams, connections } = await serve((socket) => void socket.write(ok));
    for (let turn = 0; turn < 3; turn += 1) expect(await forwardOnce(upstreams)).toBe(1);
    expect(connections).toEqual([3]);
  });

  it.each(["end", "resetAndDestroy"] as const)(
    "that the server closes (%s) on receipt of a request: the request goes over a fresh one",
    async (way) => {
      const { upstreams, connections } = await serve((socket) => void socket[way]());
      expect(await forwardOnce(upstreams)).toBe(1);
      expect(await forwardOnce(upstreams)).toBe(2);
      expect(connections).toEqual([2, 1]);
      expect(upstreams.replicas()).toMatchObject([{ ejected: false, in_flight: 0 }]);
    },
  );

  it("that was closed is not blamed on the server, which is not ejected, however often it happens", async () => {
    const { upstreams } = await serve((socket) => void socket.end());
    for (let turn = 0; turn < 10; turn += 1) await forwardOnce(upstreams);
    expect(upstreams.replicas()).toMatchObject([{ ejected: false }]);
  });

  it("gets only one more chance", async () => {
    const { upstreams, connections } = await serve(
      (socket) => void socket.end(),
      (socket) => void socket.end(),
    );
    await forwardOnce(upstreams);
    expect((await failureOf(upstreams.forward(createCall()))).code).toBe("upstream_unreachable");
    expect(connections).toEqual([2, 1]);
  });

  it("that breaks after the first byte of the answer gets none", async () => {
    const { upstreams, connections } = await serve((socket) => void socket.end("HTTP/1.1 200"));
    await forwardOnce(upstreams);
    expect((await failureOf(upstreams.forward(createCall()))).code).toBe("upstream_unreachable");
    expect(connections).toEqual([2]);
  });
});

describe("a fresh connection", () => {
  it("that breaks gets no second chance of its own", async () => {
    let requests = 0;
    const origin = await listenRaw((socket) => {
      requests += 1;
      socket.end();
    });
    const upstreams = upstreamsTo(origin);
    expect((await failureOf(upstreams.forward(createCall()))).code).toBe("upstream_unreachable");
    expect(requests).toBe(1);
  });
});
