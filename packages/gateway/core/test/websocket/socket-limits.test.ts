import { once } from "node:events";
import { type SessionKeyScope, sessionKey } from "@proj/gateway-protocol";
import {
  rawRequest,
  responseObject,
  responseStream,
  startFaultyUpstream,
  waitFor,
} from "@proj/test-kit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { buffered, keyOf, kibibyte, session_secret } from "../http/slow-uploads.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";

// What a session key may take holds for its WebSockets too.
let upstream: Awaited<ReturnType<typeof startFaultyUpstream>>;
let gateway: TestGateway;
let opened: WebSocket[] = [];

beforeAll(async () => {
  upstream = await startFaultyUpstream(async (_request, reply) => {
    await reply.events(responseStream(responseObject({})));
  });
  gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url, endpoints: ["responses"] } },
    auth: { api_keys: ["operator"], session_secret, open_metrics: true },
    timeouts: { caller_body_idle_s: 1 },
    session_key_limits: {
      max_in_flight: 1,
      max_body_bytes: 64 * kibibyte,
      max_buffered_bytes: 96 * kibibyte,
    },
  });
});

afterEach(async () => {
  for (const ws of opened) ws.terminate();
  opened = [];
  await waitFor(async () => (await buffered(gateway)) === 0, "the memory to be free");
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

async function connect(session_id: string, scope?: SessionKeyScope) {
  const headers =
    scope === undefined
      ? keyOf(session_id)
      : { authorization: `Bearer ${sessionKey(session_secret, session_id, scope)}` };
  const url = `${gateway.sessionUrl(session_id).replace("http", "ws")}/responses`;
  const ws = new WebSocket(url, { headers });
  opened.push(ws);
  const closed = once(ws, "close");
  const events: { type: string; error?: { code: string } }[] = [];
  ws.on("message", (data) => events.push(JSON.parse(String(data))));
  await once(ws, "open");
  /** Sends a frame, and waits for the type of its answer's last event, or the code of its error. */
  const ask = async (frame: object): Promise<string> => {
    ws.send(JSON.stringify({ type: "response.create", model: "policy", input: "Hi", ...frame }));
    for (;;) {
      const { type, error } = events.shift() ?? {};
      if (error !== undefined) return error.code;
      if (type === "response.completed") return type;
      if (type === undefined) await once(ws, "message");
    }
  };
  return { ws, ask, closed };
}

/** Opens a connection by hand, and sends the beginning of a frame that says it has 60 KiB. */
async function beginFrame(session_id: string, sent: number) {
  const head = [
    `GET /v1/sessions/${session_id}/responses HTTP/1.1`,
    "host: localhost",
    `authorization: ${keyOf(session_id).authorization}`,
    "connection: upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
  ];
  const connection = await rawRequest(gateway.port, `${head.join("\r\n")}\r\n\r\n`);
  await connection.readUntil("\r\n\r\n");
  const length = Buffer.alloc(2);
  length.writeUInt16BE(60 * kibibyte);
  const mask = Buffer.alloc(4);
  await connection.write(
    Buffer.concat([Buffer.from([0x81, 0xfe]), length, mask, Buffer.alloc(sent, " ")]),
  );
  return connection;
}

test("one request at a time may come over a connection, which is not a request itself", async () => {
  const { ask } = await connect("one");
  expect(await ask({})).toBe("response.completed");
  expect(await ask({ input: "again" })).toBe("response.completed");
});

test("a frame is as short as the key's body; the operator's may be longer", async () => {
  const { ask, ws, closed } = await connect("long");
  ws.on("error", () => {});
  expect(await ask({ input: "x".repeat(40 * kibibyte) })).toBe("response.completed");
  ws.send("x".repeat(65 * kibibyte));
  expect((await closed)[0]).toBe(1009);
});

test("frames that have not arrived fill the session's share of the memory, and no more", async () => {
  await using first = await beginFrame("slow", 50 * kibibyte);
  await waitFor(async () => (await buffered(gateway)) >= 50 * kibibyte, "the first frame");
  await using second = await beginFrame("slow", 50 * kibibyte);
  await second.readUntilClosed();
  const other = await connect("another");
  expect(await other.ask({})).toBe("response.completed");
  first.destroy();
});

test("a frame that pauses ends its connection", async () => {
  await using connection = await beginFrame("silent", 10);
  expect(String(await connection.readUntilClosed())).toContain("request_timeout");
});

test("what a connection remembers counts as the session's memory", async () => {
  const { ask, ws } = await connect("remembers");
  const frame = { generate: false, input: "x".repeat(20 * kibibyte) };
  const told: string[] = [];
  for (let sent = 0; sent < 5; sent += 1) told.push(await ask(frame));
  expect(new Set(told.slice(0, 2))).toEqual(new Set(["response.completed"]));
  expect(told.at(-1)).toBe("rate_limited");
  ws.close();
});

test("frames that ask no model count among the requests that a key may send", async () => {
  const { ask } = await connect("often", { requests_per_second: 2 });
  expect(await ask({ generate: false })).toBe("response.completed");
  expect(await ask({ type: "session.update" })).toBe("invalid_request");
  for (const frame of [{ generate: false }, { type: "session.update" }, {}])
    expect(await ask(frame)).toBe("rate_limited");
});

test.each([{ generate: false }, {}])("a connection ends with its key (%j)", async (frame) => {
  const expires_at = Math.ceil(Date.now() / 1_000) + 1;
  const { ask, closed } = await connect("expires", { expires_at });
  expect(await ask(frame)).toBe("response.completed");
  await waitFor(() => Date.now() >= 1_000 * expires_at, "the end of the key");
  expect(await ask(frame)).toBe("invalid_api_key");
  await closed;
});
