import { startProcess } from "@proj/test-kit";
import * as tradingClient from "@proj/trading-client";
import { expect, test } from "vitest";
import * as wire from "../src/wire.ts";

test("the public names change only on purpose", () => {
  expect(Object.keys(tradingClient).sort()).toEqual([
    "ApiError",
    "CandleLimitError",
    "ConnectionError",
    "HttpError",
    "InvalidAnswerError",
    "InvalidRequestError",
    "NotConnectedError",
    "OutcomeUnknownError",
    "RefusalError",
    "SlowConsumerError",
    "TimeoutError",
    "connectTrading",
    "createMarketHours",
    "decodeForm",
    "dynamicTrailingStep",
    "encodeForm",
    "entryOrderTypes",
    "entryTimesInForce",
    "errorCodes",
    "forexHours",
    "forexHoursConfig",
    "formatWireDate",
    "formatWireTime",
    "isSymbol",
    "isTableModel",
    "isTrailingStopStep",
    "leastFixedTrailingStep",
    "looksLikeAccountName",
    "marketHoursProperty",
    "marketOrderTypes",
    "orderStatus",
    "parseFormBoolean",
    "parseFormNumber",
    "parseSymbol",
    "parseTimeFrame",
    "parseWireTime",
    "readMarketHours",
    "tableModels",
    "tables",
    "timeFrameIds",
    "timeFrames",
    "timesInForce",
  ]);
});

test("the names of the wire are among them, and bring no client along", async () => {
  const names = Object.keys(wire);
  expect(names).toContain("parseWireTime");
  expect(Object.keys(tradingClient)).toEqual(expect.arrayContaining(names));
  const program = `
    await import(${JSON.stringify(new URL("../src/wire.ts", import.meta.url).href)});
    const { createRequire } = await import("node:module");
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(loaded.filter((path) => /axios|socket\\.io/.test(path)).length);`;
  await using running = startProcess(["--input-type=module", "--eval", program]);
  expect(await running.exit()).toEqual({ code: 0, signal: null });
  expect(running.stdout).toBe("0\n");
});
