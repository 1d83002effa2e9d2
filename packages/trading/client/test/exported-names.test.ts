import * as tradingClient from "@proj/trading-client";
import * as tradingProtocol from "@proj/trading-client/wire";
import { expect, test } from "vitest";

test("the public names are the protocol's, and others that change only on purpose", () => {
  const names = Object.keys(tradingClient).sort();
  expect(names.filter((name) => name in tradingProtocol)).toEqual(
    Object.keys(tradingProtocol).sort(),
  );
  expect(names.filter((name) => !(name in tradingProtocol))).toEqual([
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
  ]);
});
