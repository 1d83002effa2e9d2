import { once } from "node:events";
import { createServer } from "node:net";
import { listen, startProcess, waitFor } from "@proj/test-kit";
import { connectTrading, NotConnectedError } from "@proj/trading-client";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { executed } from "../server/recorded-answers.ts";
import { TradingServer } from "../server/trading-server.ts";

test("every request has the interface's headers", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server, { userAgent: "my-bot/1.0" });
  expect(client.state).toBe("connected");
  expect(client.connectionId).toBe(server.connectionIds[0]);

  await client.snapshot("Account");
  await client.subscribePrices(["EUR/USD"]);
  expect(server.requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
  for (const { headers } of server.requests) {
    expect(headers).toMatchObject({
      "user-agent": "my-bot/1.0",
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      authorization: `Bearer ${client.connectionId}${server.token}`,
    });
  }
});

test("the handshake polls with the token and upgrades to a WebSocket", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  await waitFor(() => server.handshakes.length === 2, "the upgrade");
  const [polling, webSocket] = server.handshakes;
  expect(polling?.get("access_token")).toBe(server.token);
  expect(polling?.get("EIO")).toBe("3");
  expect(polling?.get("transport")).toBe("polling");
  expect(polling?.get("b64")).toBe("1");
  expect(webSocket?.get("transport")).toBe("websocket");
  expect(webSocket?.get("sid")).toBe(client.connectionId);
});

test("a refused token fails at once", async () => {
  await using server = await TradingServer.start();
  const refused = connect(server, { token: "wrong" });
  await expect(refused).rejects.toBeInstanceOf(NotConnectedError);
  await expect(refused).rejects.toMatchObject({ reason: "refused" });
});

test("connecting waits for a server that starts in time", async () => {
  await using server = await TradingServer.start();
  server.handshakeStatus = 400;
  const connecting = connect(server);
  await waitFor(() => server.handshakes.length >= 2, "a second attempt");
  server.handshakeStatus = null;
  await using client = await connecting;
  expect(client.state).toBe("connected");
});

test("without a server, connecting fails at the time-out and says why", async () => {
  // Long enough for one attempt to fail.
  const nobody = await listen(createServer());
  await nobody.close();
  const failed = connectTrading({ url: nobody.url, token: "t", connectTimeoutMs: 2_000 });
  await expect(failed).rejects.toMatchObject({ name: "NotConnectedError", reason: "timeout" });
  await expect(failed).rejects.toThrow(/within 2000 ms: Cannot connect to http:\/\/127\.0\.0\.1/);
});

test("aborting the connection to a silent server gives the signal's reason", async () => {
  const silent = createServer();
  await using listening = await listen(silent);
  const controller = new AbortController();
  const failed = connectTrading({ url: listening.url, token: "t", signal: controller.signal });
  await once(silent, "connection");
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(failed).rejects.toBe(reason);
});

test.each([
  [{ url: "localhost:8080", token: "t" }, /baseUrl/],
  // socket.io-client takes super-linear time for them.
  [{ url: `http://localhost/${"a".repeat(2_000)}`, token: "t" }, /at most 2000/],
  [{ url: "http://localhost:8080", token: "" }, /token is empty/],
])("an invalid option is a TypeError: %j", async (options, message) => {
  await expect(connectTrading(options)).rejects.toThrow(TypeError);
  await expect(connectTrading(options)).rejects.toThrow(message);
});

test("after close nothing keeps the process alive, and waiting calls fail", async () => {
  await using server = await TradingServer.start();
  server.answer("/trading/get_instruments", () => "hang");
  server.answer("/trading/update_subscriptions", () => executed());
  const program = new URL("../server/closing-program.ts", import.meta.url).pathname;
  await using running = startProcess([program, server.url, server.token]);
  const { code } = await running.exit();
  expect(running.stderr).toBe("");
  expect(running.stdout.split("\n").slice(0, -1)).toEqual([
    "closed: null",
    "NotConnectedError: closed",
    "no more prices",
  ]);
  expect(code).toBe(0);
});
