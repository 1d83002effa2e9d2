import { once } from "node:events";
import { connect, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createRouter, eventStream, reply, resource } from "../src/index.ts";

test("the router also works with the compatibility API of Node's HTTP/2 server", async () => {
  async function* events(): AsyncGenerator<string> {
    yield "a";
  }
  const { middleware } = createRouter([
    resource("snips", {
      index: () => ({ a: 1 }),
      find: () => reply(200, "x", { vary: "Accept", "set-cookie": ["a=1", "b=2"] }),
      create: ({ body }) => body.json(),
      update: () => eventStream(events()),
    }),
  ]);
  // Its request and response have the same methods as Node's.
  const server = createServer((request, response) =>
    Reflect.apply(middleware, null, [request, response]),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    client.close();
    server.close();
  });
  const ask = async (method: string, path: string, body?: string): Promise<readonly unknown[]> => {
    const headers = { ":method": method, ":path": path, "content-type": "application/json" };
    const stream = client.request(headers, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    const [answered] = await once(stream, "response");
    let text = "";
    for await (const chunk of stream.setEncoding("utf8")) text += chunk;
    return [answered, text];
  };
  expect(await ask("GET", "/snips")).toMatchObject([
    { ":status": 200, "content-type": "application/json", "content-length": "7" },
    '{"a":1}',
  ]);
  expect(await ask("GET", "/snips/1")).toMatchObject([
    { vary: "Accept", "set-cookie": ["a=1", "b=2"] },
    '"x"',
  ]);
  expect(await ask("POST", "/snips", '{"b":2}')).toMatchObject([{ ":status": 200 }, '{"b":2}']);
  expect(await ask("PUT", "/snips/1", "{}")).toMatchObject([
    { "content-type": "text/event-stream" },
    "data: a\n\n",
  ]);
});
