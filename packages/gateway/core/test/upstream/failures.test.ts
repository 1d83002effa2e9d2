import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import {
  createCall,
  deadOrigin,
  failureOf,
  listen,
  listenHttp,
  listenRaw,
  type Setting,
  upstreamsTo,
} from "./upstream-fixture.ts";

async function failure(
  origin: string,
  setting: Setting = {},
): Promise<{ code: string; message: string }> {
  const upstreams = upstreamsTo(`${origin}/v1`, setting);
  const call = createCall();
  const { code, message } = await failureOf(upstreams.forward(call));
  expect(message).toContain("model 'm' at ");
  expect(upstreams.replicas()[0]?.in_flight).toBe(0);
  expect(call.timings.upstreamEnded).toBeGreaterThan(0);
  return { code, message };
}

const head = "HTTP/1.1 200 OK\r\n";

describe("an upstream that cannot be reached", () => {
  it("refuses connections", async () => {
    expect(await failure(deadOrigin)).toEqual({
      code: "upstream_unreachable",
      message: `The upstream of model 'm' at ${deadOrigin}/v1 could not be reached (ECONNREFUSED).`,
    });
  });

  it("does not speak TLS", async () => {
    const origin = await listen(createServer((socket) => socket.end("HTTP/1.1 400 Bad\r\n\r\n")));
    const { code, message } = await failure(origin.replace("http:", "https:"));
    expect(code).toBe("upstream_unreachable");
    expect(message).toMatch(/could not be reached \([A-Z_]+\)/);
  });

  it("does not complete a connection in time", async () => {
    const origin = await listen(createServer(() => {}));
    const { code, message } = await failure(origin.replace("http:", "https:"), {
      timeouts: { connect_s: 0.05 },
    });
    expect(code).toBe("upstream_timeout");
    expect(message).toContain("accepted no connection within 0.05 s (timeouts.connect_s)");
  });

  it.each([
    ["closes", "", "end"],
    ["resets", "", "resetAndDestroy"],
    ["closes in the middle of its headers", `${head}x-a: 1\r\n`, "end"],
  ] as const)("%s the connection before it answered", async (_name, bytes, way) => {
    const origin = await listenRaw((socket) => {
      if (bytes !== "") socket.write(bytes);
      socket[way]();
    });
    const { code, message } = await failure(origin);
    expect(code).toBe("upstream_unreachable");
    expect(message).toContain("closed the connection before it answered");
  });
});

describe("an upstream whose answer is broken", () => {
  it.each([
    ["garbage", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["a bad status line", "HTTP/1.1 abc OK\r\n\r\n"],
    ["two lengths", `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    [
      "an upgrade that nobody asked for",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    ],
    ["endless headers", `${head}${"x-a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".repeat(2500)}`],
  ])("%s is not valid HTTP", async (_name, bytes) => {
    const origin = await listenRaw((socket) => void socket.write(bytes));
    const { code, message } = await failure(origin);
    expect(code).toBe("upstream_invalid_response");
    expect(message).toContain("not valid HTTP");
  });

  it.each([
    ["shorter than its length", `${head}content-length: 9\r\n\r\nabc`],
    [
      "shorter than its length, on a connection to be closed",
      `${head}connection: close\r\ncontent-length: 9\r\n\r\nabc`,
    ],
    ["without its last chunk", `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`],
    ["with a chunk of no size", `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n`],
  ])("a body %s breaks off", async (_name, bytes) => {
    const origin = await listenRaw((socket) => void socket.end(bytes));
    const { code, message } = await failure(origin);
    expect(code).toBe("upstream_invalid_response");
    expect(message).toContain("broke off in the middle of its answer");
  });

  it("bytes beyond the length belong to no answer, and are not taken for the next one", async () => {
    const seen: number[] = [];
    const origin = await listenRaw((socket, nth) => {
      seen.push(nth);
      socket.write(`${head}content-length: 2\r\n\r\nok${head}content-length: 4\r\n\r\nevil`);
    });
    const upstreams = upstreamsTo(origin);
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await upstreams.forward(createCall());
      expect(answer.headers).toEqual(["content-length", "2"]);
      await answer.received.promise();
    }
    expect(seen).toEqual([1, 1]);
  });
});

describe("an upstream that is too slow", () => {
  it.each([
    ["sends nothing", ""],
    ["stops in the middle of its headers", `${head}x-a: 1\r\n`],
    ["sends interim answers only", "HTTP/1.1 102 Processing\r\n\r\n"],
    ["sends headers and no body", `${head}content-length: 9\r\n\r\n`],
  ])("%s", async (_name, bytes) => {
    const origin = await listenRaw((socket) => void socket.write(bytes));
    const { code, message } = await failure(origin, { timeouts: { first_byte_s: 0.05 } });
    expect(code).toBe("upstream_timeout");
    expect(message).toContain("sent no first byte within 0.05 s (timeouts.first_byte_s)");
  });

  it("falls silent between two chunks", async () => {
    const origin = await listenRaw(
      (socket) => void socket.write(`${head}content-length: 9\r\n\r\nabc`),
    );
    const { code, message } = await failure(origin, { timeouts: { idle_s: 0.05 } });
    expect(code).toBe("upstream_timeout");
    expect(message).toContain("sent nothing further within 0.05 s (timeouts.idle_s)");
  });

  it("never comes to an end", async () => {
    const origin = await listenHttp((_request, response) => {
      const timer = setInterval(() => response.write("."), 5);
      response.once("close", () => clearInterval(timer));
    });
    const { code, message } = await failure(origin, { timeouts: { total_s: 0.1 } });
    expect(code).toBe("upstream_timeout");
    expect(message).toContain("did not complete its answer within 0.1 s (timeouts.total_s)");
  });

  it("may wait longer for its first byte than it may be silent later", async () => {
    const origin = await listenRaw((socket) => {
      setTimeout(() => socket.end(`${head}content-length: 2\r\n\r\nok`), 120);
    });
    const answer = await upstreamsTo(origin, { timeouts: { idle_s: 0.03 } }).forward(createCall());
    expect(answer.status).toBe(200);
  });
});
