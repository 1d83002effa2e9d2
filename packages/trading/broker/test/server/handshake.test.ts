import { once } from "node:events";
import { rawRequest } from "@proj/test-kit";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { advance, connectBot, serveBroker, token } from "./served-broker.ts";

const handshake = (url: string, access_token: string): string =>
  `${url}/socket.io/?access_token=${access_token}&EIO=3&transport=polling&t=Nabc123&b64=1`;

test("a raw polling handshake is answered as the interface specifies", async () => {
  await using broker = await serveBroker();
  const response = await fetch(handshake(broker.url, token));
  expect(response.status).toBe(200);
  const text = await response.text();
  const [, length = "", packet = ""] = /^(\d+):(.*)$/.exec(text) ?? [];
  expect(packet.slice(0, Number(length))).toMatch(/^0\{.*\}$/);
  expect(JSON.parse(packet.slice(1, Number(length)))).toMatchObject({
    sid: expect.stringMatching(/^.{20}$/),
    upgrades: ["websocket"],
    pingInterval: 25_000,
    pingTimeout: 60_000,
  });
});

test("a raw polling client receives the pushes it subscribed to", async () => {
  await using broker = await serveBroker();
  const opened = await (await fetch(handshake(broker.url, token))).text();
  const sid = /"sid":"([^"]+)"/.exec(opened)?.[1] ?? "";
  const poll = `${handshake(broker.url, token)}&sid=${sid}`;
  expect(await (await fetch(poll)).text()).toBe("2:40");
  const subscribed = await fetch(`${broker.url}/subscribe`, {
    method: "POST",
    headers: { authorization: `Bearer ${sid}${token}` },
    body: "pairs=EUR%2FUSD",
  });
  expect(subscribed.status).toBe(200);
  broker.market.advanceTo(broker.market.now + 1000);
  const price = broker.market.price("EUR/USD");
  const packet = `42${JSON.stringify(["EUR/USD", JSON.stringify(price)])}`;
  expect(await (await fetch(poll)).text()).toBe(`${packet.length}:${packet}`);
  const pinged = await fetch(poll, { method: "POST", body: "1:2" });
  expect(await pinged.text()).toBe("ok");
  expect(await (await fetch(poll)).text()).toBe("1:3");
});

test("a polling EIO 3 client without b64 is answered in binary framing", async () => {
  await using broker = await serveBroker();
  const address = `${broker.url}/socket.io/?EIO=3&transport=polling&access_token=${token}`;
  const poll = async (url: string) => {
    const response = await fetch(url);
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    return packetsOf(Buffer.from(await response.arrayBuffer()));
  };
  const [opened = ""] = await poll(`${address}&t=1`);
  const { sid } = JSON.parse(opened.slice(1));
  expect(await poll(`${address}&sid=${sid}`)).toEqual(["40"]);
  const headers = { authorization: `Bearer ${sid}${token}` };
  await fetch(`${broker.url}/subscribe`, { method: "POST", headers, body: "pairs=EUR%2FUSD" });
  advance(broker, 2000);
  const pushed = await poll(`${address}&sid=${sid}`);
  expect(pushed).toHaveLength(2);
  expect(JSON.parse(JSON.parse((pushed[1] ?? "").slice(2))[1])).toEqual(
    broker.market.price("EUR/USD"),
  );
  // A ping, in the framing that they read and as text.
  for (const [type, body] of [
    ["application/octet-stream", Buffer.from([0, 1, 255, 0x32])],
    ["text/plain", "1:2"],
  ] as const) {
    const request = { method: "POST", headers: { "content-type": type }, body };
    expect(await (await fetch(`${address}&sid=${sid}`, request)).text()).toBe("ok");
    expect(await poll(`${address}&sid=${sid}`)).toEqual(["3"]);
  }
});

/** Parses engine.io 1 framing: 0 for text, the length's digits as bytes, 255, the text. */
function packetsOf(payload: Buffer): string[] {
  const packets: string[] = [];
  for (let at = 0; at < payload.length; ) {
    expect(payload[at]).toBe(0);
    const end = payload.indexOf(255, at);
    const length = Number([...payload.subarray(at + 1, end)].join(""));
    packets.push(payload.toString("utf8", end + 1, end + 1 + length));
    at = end + 1 + length;
  }
  return packets;
}

test("raw WebSocket frames are answered: handshake, ping, and pushes", async () => {
  await using broker = await serveBroker();
  const address = `${broker.url.replace("http", "ws")}/socket.io/?EIO=3&transport=websocket`;
  const frames: string[] = [];
  const socket = new WebSocket(`${address}&access_token=${token}`);
  socket.on("message", (data) => frames.push(String(data)));
  while (frames.length < 2) await once(socket, "message");
  const sid = /^0\{"sid":"([^"]+)"/.exec(frames[0] ?? "")?.[1] ?? "";
  expect(frames[1]).toBe("40");
  socket.send("2");
  await once(socket, "message");
  expect(frames[2]).toBe("3");
  await fetch(`${broker.url}/trading/subscribe`, {
    method: "POST",
    headers: { authorization: `Bearer ${sid}${token}` },
    body: "models=Account",
  });
  broker.market.execute("open_trade", {
    ...{ account_id: "1537581", symbol: "EUR/USD", is_buy: true, amount: 5 },
    ...{ order_type: "AtMarket", time_in_force: "GTC" },
  });
  await once(socket, "message");
  const [event, json] = JSON.parse((frames[3] ?? "").slice(2));
  expect(event).toBe("Account");
  expect(JSON.parse(json)).toMatchObject({ t: 6, action: "U", accountId: "1537581" });
  socket.close();
  await once(socket, "close");
});

test("a request needs no header except Authorization", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  const request = [
    "POST /trading/subscribe HTTP/1.1",
    "Host: broker",
    "Connection: close",
    `Authorization: Bearer ${bot.id}${token}`,
    "Content-Length: 14",
    "",
    "models=Account",
  ];
  const raw = await rawRequest(Number(new URL(broker.url).port), request.join("\r\n"));
  expect(String(await raw.readUntilClosed())).toMatch(/^HTTP\/1\.1 200 .*"executed":true/s);
});

test("a wrong or missing token is refused with 403, by polling and by WebSocket", async () => {
  await using broker = await serveBroker();
  expect((await fetch(handshake(broker.url, "wrong-token"))).status).toBe(403);
  expect((await fetch(handshake(broker.url, ""))).status).toBe(403);
  const address = `${broker.url.replace("http", "ws")}/socket.io/?EIO=3&transport=websocket`;
  const socket = new WebSocket(`${address}&access_token=wrong-token`);
  await expect(once(socket, "open")).rejects.toThrow("403");
  expect(broker.connections).toBe(0);
});

test("a socket.io-client 2.5.0 bot knows its connection id with both transports", async () => {
  await using broker = await serveBroker();
  for (const transports of [["polling"], ["websocket"], ["polling", "websocket"]]) {
    await using bot = await connectBot(broker.url, transports);
    expect((await bot.get("/trading/get_model", { models: "Account" })).status).toBe(200);
  }
});

test("the number of connections is bounded", async () => {
  await using broker = await serveBroker({ connection_limits: { connections: 1 } });
  await using bot = await connectBot(broker.url);
  // Clients retry after this status.
  expect((await fetch(handshake(broker.url, token))).status).toBe(503);
  expect((await bot.get("/trading/get_instruments")).status).toBe(200);
});
