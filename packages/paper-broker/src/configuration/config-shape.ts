import { timeFrameIds } from "@proj/trading-client/wire";
import type { Shape } from "./shape.ts";

const instrument: Shape = {
  required: ["symbol", "offer_id", "rate_precision", "pip", "mmr", "start_rate", "spread"],
  members: {
    symbol: "string",
    offer_id: "number",
    instrument_type: "number",
    rate_precision: "number",
    pip: "number",
    base_unit: "number",
    mmr: "number",
    emr: "number",
    lmr: "number",
    roll_buy: "number",
    roll_sell: "number",
    settlement_days: "number",
    stop_distance: "number",
    limit_distance: "number",
    liquidity: {
      orNull: {
        required: ["amount"],
        members: { amount: "number", step: "number", levels: { orNull: "number" } },
      },
    },
    sort_order: "number",
    start_rate: "number",
    spread: "number",
    volatility: "number",
  },
};

const account: Shape = {
  required: ["account_id", "balance"],
  members: {
    account_id: "string",
    account_name: "string",
    balance: "number",
    hedging: "boolean",
    equity_stop: { orNull: "number" },
  },
};

const stretch: Shape = {
  required: ["opens", "closes"],
  members: { opens: "string", opens_by: "string", closes: "string" },
};

const marketHours: Shape = {
  required: ["time_zone", "sessions"],
  members: {
    time_zone: "string",
    sessions: { listOf: stretch },
    holidays: { listOf: stretch },
  },
};

/** Of `prices`, by its `type`. */
export const priceShapes: Readonly<Record<string, Shape>> = {
  random_walk: {
    members: { type: "string", seed: "number", start: "time", tick_interval_ms: "number" },
  },
  csv: {
    required: ["file"],
    members: {
      type: "string",
      file: "string",
      symbol: "string",
      time_frame: { oneOf: timeFrameIds },
    },
  },
};

/** Of a PaperBrokerConfig; what `prices` holds depends on its type. */
export const configShape: Shape = {
  required: ["tokens", "accounts"],
  members: {
    tokens: { listOf: "string" },
    listen_host: "string",
    listen_port: "number",
    accounts: { listOf: account },
    instruments: { listOf: instrument },
    prices: { mapOf: "time" },
    hours: { orNull: { mapOf: { orNull: marketHours } } },
    speed: "number",
    history_hours: "number",
    state_file: { orNull: "string" },
    properties: {
      listOf: { required: ["name", "value"], members: { name: "string", value: "string" } },
    },
    limits: { members: { orders: "number", positions: "number", closedPositions: "number" } },
    faults: {
      members: {
        seed: "number",
        drop_interval_ms: "number",
        push_delay_ms: "number",
        duplicate_share: "number",
        refuse_share: "number",
        refuse_next: "number",
      },
    },
    connection_limits: {
      members: {
        connections: "number",
        requests_per_second: "number",
        queued_changes: "number",
        body_bytes: "number",
      },
    },
  },
};
