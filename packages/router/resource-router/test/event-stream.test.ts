import { rawRequest, within } from "@proj/test-kit";
import { expect, test, vi } from "vitest";
import { eventStream, type ServerEvent } from "../src/index.ts";
import { ask } from "./ask.ts";
import { serveSnips } from "./serve.ts";

const get = "GET /snips HTTP/1.1\r\nhost: x\r\n\r\n";

async function* from(
  events: readonly (ServerEvent | string)[],
): AsyncGenerator<ServerEvent | string> {
  yield* events;
}

test("events are written as in the standard", async () => {
  const events = [
    "plain",
    { data: { a: 1 } },
    { event: "change", id: "7", data: "two\nlines\r\nthree" },
  ];
  const { port } = await serveSnips({ index: () => eventStream(from(events), { retryMs: 500 }) });
  const { headers, text } = await ask(port, "/snips");
  expect(headers).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
  });
  expect(text).toBe(
    "retry: 500\n\ndata: plain\n\n" +
      'data: {"a":1}\n\n' +
      "event: change\nid: 7\ndata: two\ndata: lines\ndata: three\n\n",
  );
});

test("the head is sent before the first event, then comments, and disconnecting closes the source", async () => {
  const closed = Promise.withResolvers<void>();
  const silent: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        closed.resolve();
        return { done: true, value: undefined };
      },
    }),
  };
  const { port } = await serveSnips({ index: () => eventStream(silent, { keepAliveMs: 10 }) });
  const connection = await rawRequest(port, get);
  await connection.readUntil("\r\n\r\n");
  await connection.readUntil(":\n\n");
  connection.destroy();
  await within(closed.promise, "the source to be closed");
});

test("HEAD gets the head, and closes the source", async () => {
  const cancel = vi.fn();
  const silent = new ReadableStream<string>({ cancel });
  const { port } = await serveSnips({ index: () => eventStream(silent) });
  const { status, headers } = await ask(port, "/snips", { method: "HEAD" });
  expect([status, headers["content-type"]]).toEqual([200, "text/event-stream"]);
  expect(cancel).toHaveBeenCalledTimes(1);
});

test("an event name with a line break cuts the stream, and onError gets the error", async () => {
  const errors: unknown[] = [];
  const events = [{ event: "a\ndata: forged", data: "" }];
  const { port } = await serveSnips(
    { index: () => eventStream(from(events)) },
    { onError: (error) => errors.push(error) },
  );
  await expect(ask(port, "/snips")).rejects.toThrow();
  expect(errors).toEqual([expect.any(TypeError)]);
});
