import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { collectEvents, nextEvent } from "../server/events.ts";
import { TradingServer } from "../server/trading-server.ts";

test("a server that has stopped is given up, and the next connection is used", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server, { quietMs: 200, connectTimeoutMs: 500 });
  await client.subscribePrices(["EUR/USD"]);
  const disconnected = nextEvent(client, "disconnected");
  const reconnected = nextEvent(client, "reconnected");
  server.freeze();
  expect(await disconnected).toEqual({ reason: "the server was silent for 200 ms" });
  await reconnected;
  expect(server.requestsTo("/subscribe")).toHaveLength(2);
});

test("a server without prices is asked for a sign of life and kept", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server, { quietMs: 400 });
  const events = collectEvents(client, "disconnected");
  for (let beats = 0; beats < 8; beats += 1) await nextEvent(client, "heartbeat");
  expect(events).toEqual([]);
});
