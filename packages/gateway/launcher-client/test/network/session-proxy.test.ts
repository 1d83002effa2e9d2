import { once } from "node:events";
import { createServer, request as httpRequest, type Server } from "node:http";
import { connect, createServer as createNetServer } from "node:net";
import { freePort, listen } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { isInside, sessionProxy } from "../../src/network/session-proxy.ts";

const path = "/v1/sessions/s-1";

/** A proxy before the gateway; its port. */
async function before(gateway: Server | { readonly port: number }): Promise<number> {
  const { port } = "port" in gateway ? gateway : await listening(gateway);
  const proxy = sessionProxy(new URL(`http://127.0.0.1:${port}${path}`));
  const server = createNetServer((socket) => proxy.accept(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    proxy.close();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it does not listen");
  return address.port;
}

async function listening(server: Server): Promise<{ readonly port: number }> {
  const { url, close } = await listen(server);
  onTestFinished(close);
  return { port: Number(new URL(url).port) };
}

test("an answer comes as it is written, with its status and headers", async () => {
  let goOn = (): void => {};
  const port = await before(
    createServer((request, response) => {
      response.writeHead(201, { "x-gateway-step-id": "7", "set-cookie": ["a=1", "b=2"] });
      request.pipe(response, { end: false });
      goOn = () => response.end("end");
    }),
  );
  const request = httpRequest({ port, method: "POST", path: `${path}/responses` });
  request.write("first");
  const [answer] = await once(request, "response");
  expect(answer.statusCode).toBe(201);
  expect(answer.headers).toMatchObject({ "x-gateway-step-id": "7", "set-cookie": ["a=1", "b=2"] });
  expect(String((await once(answer, "data"))[0])).toBe("first");
  request.end();
  goOn();
  expect(String((await once(answer, "data"))[0])).toBe("end");
});

test("what breaks off on one side is broken off on the other", async () => {
  const left = Promise.withResolvers<void>();
  const port = await before(
    createServer((request, response) => {
      response.write("half");
      response.once("close", () => left.resolve());
      if (request.url?.endsWith("broken")) setImmediate(() => response.destroy());
    }),
  );
  const broken = httpRequest({ port, path: `${path}/broken` }).end();
  const [answer] = await once(broken, "response");
  const [error] = await once(answer.resume(), "error");
  expect(error.code).toBe("ECONNRESET");
  const leaving = httpRequest({ port, path: `${path}/left` }).end();
  await once((await once(leaving, "response"))[0], "data");
  leaving.destroy();
  await left.promise;
});

test("a gateway that is away is an error that clients retry", async () => {
  const port = await before({ port: await freePort() });
  const answer = await fetch(`http://127.0.0.1:${port}${path}/models`);
  expect(answer.status).toBe(502);
  expect(answer.headers.get("x-should-retry")).toBe("true");
  expect(await answer.json()).toMatchObject({ error: { code: "gateway_unreachable" } });
});

test("a connection becomes another protocol's, or is told that it does not", async () => {
  const gateway = createServer((_, response) => response.writeHead(426).end("no"));
  gateway.on("upgrade", (request, socket) => {
    if (request.url === `${path}/refused`)
      return void socket.end("HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\n\r\nno");
    socket.write("HTTP/1.1 101 Switching\r\nupgrade: echo\r\nconnection: upgrade\r\n\r\n");
    socket.pipe(socket);
  });
  const port = await before(gateway);
  const head = (target: string): string =>
    `GET ${target} HTTP/1.1\r\nhost: x\r\nupgrade: echo\r\nconnection: upgrade\r\n\r\n`;
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write(head(`${path}/responses`));
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 101 .*upgrade: echo/s);
  socket.write("both ways");
  expect(String((await once(socket, "data"))[0])).toBe("both ways");
  for (const [target, status] of [
    [`${path}/refused`, 426],
    ["/v1/sessions/other/responses", 404],
  ] as const) {
    const refused = connect(port, "127.0.0.1");
    onTestFinished(() => void refused.destroy());
    refused.write(head(target));
    expect(String((await once(refused, "data"))[0])).toMatch(`HTTP/1.1 ${status} `);
    await once(refused.resume(), "end");
  }
});

test("closing it ends every connection", async () => {
  const proxy = sessionProxy(new URL(`http://127.0.0.1:9${path}`));
  const server = createNetServer((socket) => proxy.accept(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect(Object(server.address()).port, "127.0.0.1");
  await once(server, "connection");
  proxy.close();
  await once(socket.resume(), "close");
  server.close();
});

test.each([
  ["/v1/sessions/s-1", true],
  ["/v1/sessions/s-1?x=/../", true],
  ["/v1/sessions/s-1/models/a.b..c", true],
  ["/v1/sessions/s-1/models/vendor%20name", true],
  ["/v1/sessions/s-1/models/vendor%2Fname", true],
  ["/v1/sessions/s-10", false],
  ["/v1/sessions/s-1/../s-2/steps", false],
  ["/v1/sessions/s-1/.%2E/s-2/steps", false],
  ["/v1/sessions/s-1/%2e%2e/s-2", false],
  ["/v1/sessions/s-1/..%2Fs-2", false],
  ["/v1/sessions/s-1/models%2F..%2F..%2Fs-2", false],
  ["/v1/sessions/s-1\\..\\s-2", false],
  ["/v1/sessions/s-1//steps", false],
  ["//v1/sessions/s-1", false],
  ["http://elsewhere/v1/sessions/s-1", false],
  ["/v1/sessions", false],
  ["/metrics", false],
  ["*", false],
  ["", false],
  [undefined, false],
])("%s is inside the session: %s", (target, expected) => {
  expect(isInside(target, new URL(`http://gateway:8000${path}`))).toBe(expected);
});
