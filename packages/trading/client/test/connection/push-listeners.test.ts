import { addAbortListener } from "node:events";
import { createServer } from "node:http";
import { listen, within } from "@proj/test-kit";
import fc from "fast-check";
import createSocketServer, { type ServerSocket } from "socket.io-2";
import connectSocket from "socket.io-client";
import { expect, test } from "vitest";
import { openLink } from "../../src/connection/open-link.ts";

const names = ["EUR/USD", "Offer", "", 'quoted "name"', "__proto__"];

interface Push {
  readonly name: string;
  readonly values: readonly unknown[];
  readonly awaitsAnswer: boolean;
}

const value = fc.oneof(
  fc.jsonValue(),
  fc.json(),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
);
const pushes: fc.Arbitrary<Push[]> = fc.array(
  fc.record({
    name: fc.constantFrom(...names, "nobody listens to it"),
    values: fc.array(value, { maxLength: 3 }),
    awaitsAnswer: fc.boolean(),
  }),
);

/** A plain socket.io server and a link to it. */
async function openAlone() {
  const stack = new AsyncDisposableStack();
  const http = createServer();
  const io = createSocketServer(http, { serveClient: false });
  const accepted: ServerSocket[] = [];
  io.on("connection", (socket) => accepted.push(socket));
  const { url } = stack.use(await listen(http));
  stack.defer(() => io.close());
  const own = { token: "t", userAgent: "u", quietMs: 0, onAlive: () => undefined };
  const link = await openLink({ url, ...own }, AbortSignal.timeout(60_000));
  stack.defer(() => link.close("the test has ended"));
  const send = ({ name, values, awaitsAnswer }: Push): void => {
    const answer = awaitsAnswer ? [(): void => undefined] : [];
    for (const socket of accepted) socket.emit(name, ...values, ...answer);
  };
  const write = (message: string): void => {
    for (const { conn } of accepted) conn.write(message);
  };
  return { link, url, send, write, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** A plain socket.io server with a link and a plain socket.io-client. */
async function openBoth() {
  const stack = new AsyncDisposableStack();
  const { link, url, send } = stack.use(await openAlone());
  const plain = connectSocket(url, { forceNew: true, reconnection: false });
  stack.defer(() => void plain.close());
  await within(new Promise<void>((resolve) => plain.on("connect", resolve)), "a connection");
  return { link, plain, send, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Each connection has its own function that answers the push. */
function described(payload: unknown): unknown {
  return typeof payload === "function" ? "answers the push" : payload;
}

test("listeners get the same events in the same order as plain socket.io-client's", async () => {
  await using open = await openBoth();
  const { link, plain, send } = open;
  let heard: unknown[] = [];
  let heardByPlain: unknown[] = [];
  for (const name of names) {
    link.on(name, (payload) => heard.push([name, described(payload)]));
    plain.on(name, (payload: unknown) => heardByPlain.push([name, described(payload)]));
  }
  const hearTheSame = async (sent: readonly Push[]): Promise<void> => {
    [heard, heardByPlain] = [[], []];
    const [atLink, atPlain] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    link.on("end", () => atLink.resolve());
    plain.on("end", () => atPlain.resolve());
    for (const push of [...sent, { name: "end", values: [], awaitsAnswer: false }]) send(push);
    await within(Promise.all([atLink.promise, atPlain.promise]), "all pushes");
    link.off("end");
    plain.off("end");
    expect(heard).toEqual(heardByPlain);
    expect(heard.length).toBe(sent.filter(({ name }) => names.includes(name)).length);
  };
  await fc.assert(fc.asyncProperty(pushes, hearTheSame), { numRuns: 50 });
});

test("a removed listener gets no push of any form", async () => {
  await using open = await openBoth();
  const { link, send } = open;
  const heard: unknown[] = [];
  const ended = Promise.withResolvers<void>();
  link.on("Offer", (payload) => heard.push(payload));
  link.on("end", () => ended.resolve());
  link.off("Offer");
  for (const awaitsAnswer of [false, true]) send({ name: "Offer", values: ["{}"], awaitsAnswer });
  send({ name: "end", values: [], awaitsAnswer: false });
  await within(ended.promise, "the end");
  expect(heard).toEqual([]);
});

test.each(['2["Offer",{bad', "51-["])(
  "%s, which is not a message, ends the connection but not the process",
  async (message) => {
    await using open = await openAlone();
    const { link, write } = open;
    link.on("Offer", () => {});
    const ended = new Promise<unknown>((resolve) => {
      addAbortListener(link.broken, () => resolve(link.broken.reason));
    });
    write(message);
    expect(await within(ended, "the end of the connection")).toBeInstanceOf(Error);
  },
);
