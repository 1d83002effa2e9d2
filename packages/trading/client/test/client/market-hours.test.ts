import { forexHoursConfig, marketHoursProperty } from "@proj/trading-client";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { TradingServer } from "../server/trading-server.ts";

test("market hours are read per instrument type from the server's properties", async () => {
  await using server = await TradingServer.start();
  server.tables.Properties.set("1", marketHoursProperty(1, forexHoursConfig));
  server.tables.Properties.set("2", marketHoursProperty(2, null));
  server.tables.Properties.set("speed", { name: "speed", value: "1000" });
  await using client = await connect(server);
  const hours = await client.marketHours();
  expect([...hours.keys()]).toEqual([1, 2]);
  expect(hours.get(2)).toBeNull();
  const sunday = Temporal.Instant.from("2026-11-22T22:10:00Z");
  expect(hours.get(1)?.phase(sunday)).toBe("opening");
});
