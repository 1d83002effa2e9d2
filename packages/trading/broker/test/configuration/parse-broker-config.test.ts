import { ConfigError } from "@proj/program/configuration";
import { expect, test } from "vitest";
import { type PaperBrokerConfig, parseBrokerConfig } from "../../src/index.ts";

const minimal = { tokens: ["a-token-of-a-bot"], accounts: [{ account_id: "1", balance: 100 }] };
/** Parses a value as JSON, which is also YAML. */
const parsed = (value: unknown, env: Readonly<Record<string, string>> = {}): PaperBrokerConfig =>
  parseBrokerConfig(JSON.stringify(value), "paper.yaml", env);
/** `${BOT_TOKEN}`, as in a file. */
const reference = "$".concat("{BOT_TOKEN}");

test("a configuration is returned as is, with tokens from the environment", () => {
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
  expect(parsed(config, { BOT_TOKEN: "from-outside" })).toEqual({
    ...config,
    tokens: ["from-outside", "another-token"],
  });
  expect(() => parsed(config, {})).toThrow("BOT_TOKEN, which is not set");
});

test.each([
  [null, "is empty; at least tokens and accounts are required"],
  [{}, /tokens: is required\n.*accounts: is required/],
  [{ ...minimal, tokens: "a-token" }, "tokens: expected a list, found a string"],
  [{ ...minimal, tokens: ["a b"] }, "tokens[0]: expected 8 to 200 visible ASCII characters"],
  [
    { ...minimal, accounts: [{ account_id: 1, balance: 1 }] },
    "accounts[0].account_id: expected a string, found 1; quotes make it a string",
  ],
  [{ ...minimal, acounts: [] }, "acounts: is not a known key; did you mean accounts?"],
  [
    { ...minimal, prices: { type: "walk" } },
    'prices.type: expected "simulated" or "random_walk" or "csv"',
  ],
  [{ ...minimal, prices: {} }, "prices.type: is required"],
  [{ ...minimal, prices: { type: "csv" } }, "prices.file: is required"],
  [{ ...minimal, prices: { type: "random_walk", file: "x" } }, "prices.file: is not a known key"],
  [{ ...minimal, hours: { 1: { time_zone: "UTC" } } }, "hours[1].sessions: is required"],
  [{ ...minimal, faults: { constructor: 1 } }, "faults.constructor: is not a known key"],
  [{ ...minimal, instruments: [{ symbol: "A/B" }] }, "instruments[0].offer_id: is required"],
])("errors name the field without its value: %j", (config, message) => {
  const parse = () => parsed(config);
  expect(parse).toThrow(ConfigError);
  expect(parse).toThrow(message);
  expect(parse).not.toThrow("a-token");
});
