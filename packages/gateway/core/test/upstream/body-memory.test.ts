import { createHash } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { readRequestBody } from "@proj/model-apis";
import { expect, it } from "vitest";
import { BodyMemory } from "../../src/call/body-memory.ts";
import type { Call } from "../../src/call/call.ts";
import { createCall, listen, listenHttp, readText, upstreamsTo } from "./upstream-fixture.ts";

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** A call with a body of this size, in memory of its own. */
function largeCall(size: number): Call {
  const bytes = Buffer.allocUnsafeSlow(size).fill("x");
  bytes.write('{"model":"m","messages":["');
  bytes.write('"]}', size - 3);
  return createCall({
    body: readRequestBody(bytes, "messages"),
    memory: new BodyMemory(bytes),
  });
}

it("a body is freed once it has been sent and the call is over", async () => {
  let received = 0;
  const origin = await listenHttp(async (request, response) => {
    for await (const chunk of request) received += chunk.length;
    response.end("ok");
  });
  const call = largeCall(1_000_000);
  const { forward } = upstreamsTo(origin);
  expect(await readText(await forward(call))).toBe("ok");
  expect(call.body.bytes.length).toBe(1_000_000);
  call.memory.release();
  expect(call.body.bytes.length).toBe(0);
  expect(received).toBe(1_000_000);
});

it("a body is sent again after an answer that is worth a retry", async () => {
  const seen: number[] = [];
  const origin = await listenHttp(async (request, response) => {
    let length = 0;
    for await (const chunk of request) length += chunk.length;
    response.statusCode = seen.push(length) === 1 ? 503 : 200;
    response.setHeader("retry-after", "0");
    response.end("ok");
  });
  const call = largeCall(1_000_000);
  const { forward } = upstreamsTo(origin, { route: { retries: 1 } });
  await readText(await forward(call));
  expect(seen).toEqual([1_000_000, 1_000_000]);
});

// More than the kernel's buffers hold: most of the body is still to be sent when the call is over.
it("an upstream that answers before it reads still gets the whole body", async () => {
  const size = 64_000_000;
  const connected = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    socket.pause();
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    connected.resolve(socket);
  });
  const { forward } = upstreamsTo(await listen(server));
  const call = largeCall(size);
  const expected = sha256(call.body.bytes);
  expect(await readText(await forward(call))).toBe("ok");
  call.memory.release();
  expect(call.body.bytes.length).toBe(size);

  const socket = await connected.promise;
  const received: Buffer[] = [];
  let length = 0;
  const whole = Promise.withResolvers<void>();
  socket.on("data", (chunk: Buffer) => {
    received.push(chunk);
    length += chunk.length;
    if (chunk.subarray(-2).toString() === "]}") whole.resolve();
  });
  socket.resume();
  await whole.promise;
  expect(sha256(Buffer.concat(received).subarray(length - size))).toBe(expected);
});
