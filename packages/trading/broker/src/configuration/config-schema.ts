import type { JsonSchema } from "@proj/program/configuration";
import { timeFrameIds } from "@proj/trading-client/wire";

const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "number" };
const positiveInteger: JsonSchema = { type: "integer", minimum: 1 };
/** The longest delay of a timer, about 24 days. */
const milliseconds: JsonSchema = { type: "integer", minimum: 0, maximum: 2 ** 31 - 1 };
const share: JsonSchema = { type: "number", minimum: 0, maximum: 1 };

const members = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema => ({ type: "object", additionalProperties: false, required, properties });

const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });

const liquidity: JsonSchema = {
  ...members(
    { amount: number, step: number, recovery_ms: number, levels: { type: ["number", "null"] } },
    ["amount"],
  ),
  type: ["object", "null"],
};

const fillModel: JsonSchema = {
  ...members({
    profile: { type: ["string", "null"], enum: ["realistic", null] },
    seed: number,
    latency_ms: { type: "number", minimum: 0 },
    latency_jitter_ms: { type: "number", minimum: 0 },
    slippage_share: share,
    slippage_pips: { type: "number", minimum: 0 },
    touch_share: { type: "number", exclusiveMinimum: 0, maximum: 1 },
    depth: liquidity,
    commission: { type: "number", minimum: 0 },
    negative_balance_protection: { type: "boolean" },
  }),
  type: ["object", "null"],
};

const instrument = members(
  {
    symbol: text,
    offer_id: number,
    instrument_type: number,
    rate_precision: number,
    pip: number,
    base_unit: number,
    contract_size: number,
    quote_currency: { type: "string", pattern: "^[A-Z]{3}$", expected: "a currency, such as EUR" },
    mmr: number,
    emr: number,
    lmr: number,
    roll_buy: number,
    roll_sell: number,
    settlement_days: number,
    stop_distance: number,
    limit_distance: number,
    liquidity,
    sort_order: number,
    start_rate: number,
    spread: number,
    volatility: number,
  },
  ["symbol", "offer_id", "rate_precision", "pip", "mmr", "start_rate", "spread"],
);

const account = members(
  {
    account_id: {
      type: "string",
      pattern: "^[1-9]\\d*$",
      expected: "digits without leading zeros",
    },
    account_name: text,
    currency: { type: "string", pattern: "^[A-Z]{3}$", expected: "a currency, such as EUR" },
    balance: { type: "number", minimum: 0 },
    hedging: { type: "boolean" },
    equity_stop: { type: ["number", "null"] },
  },
  ["account_id", "balance"],
);

const stretch = members({ opens: text, opens_by: text, closes: text }, ["opens", "closes"]);

const marketHours: JsonSchema = {
  ...members({ time_zone: text, sessions: listOf(stretch), holidays: listOf(stretch) }, [
    "time_zone",
    "sessions",
  ]),
  type: ["object", "null"],
};

/** The price source, by its `type`. */
const prices: JsonSchema = {
  type: "object",
  required: ["type"],
  discriminator: { propertyName: "type" },
  oneOf: [
    ...["simulated", "random_walk"].map((type) =>
      members({
        type: { const: type },
        seed: number,
        start: { type: ["number", "string"] },
        tick_interval_ms: number,
      }),
    ),
    members(
      {
        type: { const: "csv" },
        file: { type: ["string", "array"], items: text, minItems: 1 },
        symbol: text,
        time_frame: { type: "string", enum: timeFrameIds },
      },
      ["file"],
    ),
  ],
};

const tokens: JsonSchema = {
  type: "array",
  minItems: 1,
  items: {
    type: "string",
    pattern: "^[\\x21-\\x7e]{8,200}$",
    expected: "8 to 200 visible ASCII characters without spaces",
  },
};

/** JSON Schema of a PaperBrokerConfig. The broker itself fills in the defaults. */
export const configSchema: JsonSchema = members(
  {
    tokens,
    account_tokens: { type: "object", additionalProperties: tokens },
    listen_host: text,
    listen_port: { type: "integer", minimum: 0, maximum: 65_535 },
    accounts: listOf(account),
    instruments: listOf(instrument),
    prices,
    hours: { type: ["object", "null"], additionalProperties: marketHours },
    speed: { type: "number", minimum: 0 },
    history_hours: { type: "number", minimum: 0 },
    state_file: { type: ["string", "null"] },
    properties: listOf(members({ name: text, value: text }, ["name", "value"])),
    fill_model: fillModel,
    limits: members({ orders: number, positions: number, closedPositions: number }),
    faults: members({
      seed: number,
      drop_interval_ms: milliseconds,
      push_delay_ms: milliseconds,
      duplicate_share: share,
      refuse_share: share,
      refuse_next: milliseconds,
    }),
    connection_limits: members({
      connections: positiveInteger,
      requests_per_second: positiveInteger,
      queued_changes: positiveInteger,
      body_bytes: positiveInteger,
    }),
  },
  ["tokens", "accounts"],
);
