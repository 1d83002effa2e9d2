import { expect, test } from "vitest";
import { BrokerConfigError, parseBrokerConfig } from "../../src/index.ts";

const minimal = { tokens: ["a-token-of-a-bot"], accounts: [{ account_id: "1", balance: 100 }] };
/** `${BOT_TOKEN}`, as a file has it. */
const reference = "$".concat("{BOT_TOKEN}");

test("a configuration is taken as it is, with tokens from the environment", () => {
  const config = {
    ...minimal,
    tokens: [reference, "another-token"],
    prices: { type: "csv", file: "prices.csv", time_frame: "m5" },
    hours: {
      1: null,
      2: {
        time_zone: "America/New_York",
        sessions: [{ opens: "Sunday 18:00", closes: "Friday 16:55" }],
        holidays: [{ closes: "2026-12-24 13:00", opens: "2026-12-25 18:00" }],
      },
    },
    faults: { push_delay_ms: 5 },
  };
  expect(parseBrokerConfig(config, { BOT_TOKEN: "from-outside" })).toEqual({
    ...config,
    tokens: ["from-outside", "another-token"],
  });
  expect(() => parseBrokerConfig(config, {})).toThrow("BOT_TOKEN, which is not set");
});

test.each([
  [null, "the configuration must be a map"],
  [{}, "tokens is missing\naccounts is missing"],
  [{ ...minimal, tokens: "a-token" }, "tokens must be a list"],
  [
    { ...minimal, accounts: [{ account_id: 1, balance: 1 }] },
    "accounts[0].account_id must be a string",
  ],
  [{ ...minimal, acounts: [] }, "acounts is no setting"],
  [{ ...minimal, prices: { type: "walk" } }, "prices.type must be one of random_walk, csv"],
  [{ ...minimal, prices: { type: "csv" } }, "prices.file is missing"],
  [{ ...minimal, prices: { type: "random_walk", file: "x" } }, "prices.file is no setting"],
  [{ ...minimal, hours: { 1: { time_zone: "UTC" } } }, "hours.1.sessions is missing"],
  [{ ...minimal, faults: { constructor: 1 } }, "faults.constructor is no setting"],
  [{ ...minimal, instruments: [{ symbol: "A/B" }] }, "instruments[0].offer_id is missing"],
])("what is wrong is named, and no value is shown: %j", (config, message) => {
  const parse = () => parseBrokerConfig(config);
  expect(parse).toThrow(BrokerConfigError);
  expect(parse).toThrow(message);
  expect(parse).not.toThrow("a-token");
});
