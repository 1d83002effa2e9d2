import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import type { AnswerBody } from "../../src/call/answer.ts";
import { GatewayError } from "../../src/errors/gateway-error.ts";
import { UpstreamBody } from "../../src/upstream/upstream-body.ts";
import {
  CollectingSink,
  collect,
  createCall,
  listen,
  listenHttp,
  listenRaw,
  readText,
  upstreamsTo,
} from "./upstream-fixture.ts";

const megabyte = 1024 * 1024;

/** Takes one chunk at a time. */
class SlowSink extends CollectingSink {
  #full = Promise.withResolvers<void>();
  received = 0;

  override write(chunk: Uint8Array): boolean {
    this.received += chunk.length;
    this.#full.resolve();
    return false;
  }

  /** Resolves with the next chunk. */
  async next(body: AnswerBody): Promise<void> {
    this.#full = Promise.withResolvers();
    body.resume();
    await Promise.race([this.#full.promise, this.ended]);
  }
}

/** Writes as fast as the other side reads. */
async function startFlood(size: number): Promise<{ origin: string; written: () => number }> {
  let written = 0;
  const chunk = Buffer.alloc(64 * 1024, "x");
  const origin = await listenHttp((_request, response) => {
    const send = (): void => {
      let more = true;
      while (more && written < size) {
        written += chunk.length;
        more = response.write(chunk);
      }
      if (written >= size) response.end();
    };
    response.on("drain", send);
    send();
  });
  return { origin, written: () => written };
}

/** What the kernel's buffers on the way may hold, with room to spare. */
const inKernel = 16 * megabyte;
const floodSize = 64 * megabyte;

/** Resolves when the number has not changed for some turns of the loop and of the other side. */
async function settled(read: () => number): Promise<number> {
  let last = -1;
  for (let same = 0; same < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    same = read() === last ? same + 1 : 0;
    last = read();
  }
  return last;
}

describe("the body of an answer", () => {
  it("is held back at the upstream while nobody reads it, and then comes whole", async () => {
    const { origin, written } = await startFlood(floodSize);
    const answer = await upstreamsTo(origin).forward(createCall());
    expect(await settled(written)).toBeLessThan(inKernel);
    const sink = collect(answer.body);
    expect(await sink.ended).toBeNull();
    expect(sink.chunks.reduce((sum, { length }) => sum + length, 0)).toBe(floodSize);
  });

  it("is held back at the upstream while its sink is full", async () => {
    const { origin, written } = await startFlood(floodSize);
    const { body } = await upstreamsTo(origin).forward(createCall());
    const sink = new SlowSink();
    body.pipe(sink);
    for (let turn = 0; turn < 10; turn += 1) await sink.next(body);
    expect(await settled(written)).toBeLessThan(inKernel);
    expect(sink.received).toBeLessThan(megabyte);
    expect(sink.endings).toBe(0);
    while (sink.endings === 0) await sink.next(body);
    expect(sink.received).toBe(floodSize);
  });

  it("does not time out as idle while its sink is full", async () => {
    const timeouts = { idle_s: 4 };
    const { origin } = await startFlood(floodSize);
    const { body } = await upstreamsTo(origin, { timeouts }).forward(createCall());
    const sink = new SlowSink();
    body.pipe(sink);
    await sink.next(body);
    // Another stream is read, falls silent only now and does time out: the first one had time to, too.
    const silent = await listenHttp((_request, response) => void response.write("a"));
    const idle = collect((await upstreamsTo(silent, { timeouts }).forward(createCall())).body);
    expect(await idle.ended).toMatchObject({ code: "upstream_timeout" });
    while (sink.endings === 0) await sink.next(body);
    expect(await sink.ended).toBeNull();
    expect(sink.received).toBe(floodSize);
  });

  it("can be read long after it came whole", async () => {
    const origin = await listenHttp((_request, response) => void response.end("ok"));
    const answer = await upstreamsTo(origin).forward(createCall());
    await answer.received.promise();
    expect(await readText(answer)).toBe("ok");
  });

  it("is passed on in the upstream's chunks", async () => {
    const server = createServer();
    const origin = await listen(server);
    const requested = once(server, "request");
    const pending = upstreamsTo(origin).forward(createCall());
    const response: ServerResponse = (await requested)[1];
    response.write("a");
    const sink = new SlowSink();
    const { body } = await pending;
    body.pipe(sink);
    for (const chunk of ["bc", "def"]) {
      const arrival = sink.next(body);
      response.write(chunk);
      await arrival;
    }
    response.end();
    body.resume();
    expect(await sink.ended).toBeNull();
    expect(sink.received).toBe(6);
  });

  it("that ends with its connection comes whole, even to a sink that was full", async () => {
    const origin = await listenRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
      socket.end("x".repeat(megabyte));
    });
    const { body } = await upstreamsTo(origin).forward(createCall());
    const sink = new SlowSink();
    body.pipe(sink);
    while (sink.endings === 0) await sink.next(body);
    expect(await sink.ended).toBeNull();
    expect(sink.received).toBe(megabyte);
  });

  it("that breaks off first delivers what had come", async () => {
    const origin = await listenRaw((socket) => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc");
    });
    const answer = await upstreamsTo(origin).forward(createCall());
    await answer.received.promise();
    const sink = collect(answer.body);
    expect(await sink.ended).toMatchObject({ code: "upstream_invalid_response" });
    expect(sink.text).toBe("abc");
    expect(sink.endings).toBe(1);
  });
});

describe("UpstreamBody", () => {
  const reason = new GatewayError("session_closed", "closed");
  const source = { resume: () => {}, abort: () => {} };

  it("tells its sink the end once, whatever follows", async () => {
    const body = new UpstreamBody(source);
    const sink = collect(body);
    body.finish(null);
    body.cancel(reason);
    body.finish(reason);
    expect(await sink.ended).toBeNull();
    expect(sink.endings).toBe(1);
  });

  it("fails with the first reason, even if it is cancelled before it has a sink", async () => {
    const body = new UpstreamBody(source);
    body.push(Buffer.from("a"));
    body.cancel(reason);
    body.finish(null);
    const sink = collect(body);
    expect(await sink.ended).toBe(reason);
    expect(sink.chunks).toEqual([]);
  });

  it("can be cancelled by its sink while delivering what had come before", async () => {
    const body = new UpstreamBody(source);
    body.push(Buffer.from("a"));
    body.push(Buffer.from("b"));
    body.finish(null);
    const sink = new CollectingSink();
    const write = sink.write.bind(sink);
    sink.write = (chunk) => {
      write(chunk);
      body.cancel(reason);
      return true;
    };
    body.pipe(sink);
    expect(await sink.ended).toBe(reason);
    expect(sink.text).toBe("a");
    expect(sink.endings).toBe(1);
  });

  it("passes a chunk on together with the end if both had come before", async () => {
    const body = new UpstreamBody(source);
    const chunk = Buffer.from("a");
    body.push(chunk);
    body.finish(null);
    const tails: (readonly Uint8Array[])[] = [];
    const sink = new CollectingSink();
    sink.end = (tail) => void tails.push(tail);
    body.pipe(sink);
    expect(tails).toEqual([[chunk]]);
    expect(sink.chunks).toEqual([]);
  });

  it("delivers each chunk once and in order, even to a sink that resumes within a write", async () => {
    const body = new UpstreamBody(source);
    for (const text of ["a", "b", "c"]) body.push(Buffer.from(text));
    body.finish(null);
    const sink = new CollectingSink();
    const write = sink.write.bind(sink);
    sink.write = (chunk) => {
      write(chunk);
      body.resume();
      return true;
    };
    body.pipe(sink);
    expect(await sink.ended).toBeNull();
    expect(sink.text).toBe("abc");
  });
});
