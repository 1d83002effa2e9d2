import * as tradingProtocol from "@proj/trading-protocol";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(tradingProtocol).sort()).toEqual([
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
