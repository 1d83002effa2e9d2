import { parseSymbol } from "@proj/trading-client/wire";
import type { InstrumentConfig, LiquidityConfig } from "./instrument-config.ts";

/**
 * An instrument in the engine's units: rates and distances are whole points (the last digit of a
 * rate), amounts are thousands, money is cents.
 */
export interface Instrument {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly offerId: number;
  readonly instrumentType: number;
  readonly sortOrder: number;
  readonly ratePrecision: number;
  /** Points in a rate of 1. */
  readonly scale: number;
  readonly pip: number;
  readonly pipPoints: number;
  readonly baseUnit: number;
  /** Units of the base that an amount of 1 is. */
  readonly contractSize: number;
  /** Margin per base unit in cents, not necessarily whole. */
  readonly mmr: number;
  readonly emr: number;
  readonly lmr: number;
  /** Swap per base unit and night in cents, not necessarily whole. */
  readonly rollBuy: number;
  readonly rollSell: number;
  readonly settlementDays: number;
  readonly stopDistance: number;
  readonly limitDistance: number;
  readonly liquidity: Liquidity | null;
  readonly startRate: number;
  readonly spread: number;
  /** Points, not necessarily whole. */
  readonly volatility: number;
}

export interface Liquidity {
  readonly amount: number;
  readonly step: number;
  readonly levels: number;
  /** Milliseconds in which a level's amount comes back; 0: it is never used up. */
  readonly recoveryMs: number;
}

/** @throws TypeError an invalid setting, named with its symbol */
export function createInstrument(config: InstrumentConfig): Instrument {
  const { base, quote } = parseSymbol(config.symbol, config.quote_currency);
  const scale = 10 ** config.rate_precision;
  const pipPoints = Math.round(config.pip * scale);
  const baseUnit = config.base_unit ?? 1;
  const points = (pips: number) => Math.round(pips * pipPoints);
  const instrument: Instrument = {
    symbol: config.symbol,
    base,
    quote,
    offerId: config.offer_id,
    instrumentType: config.instrument_type ?? 1,
    sortOrder: config.sort_order ?? config.offer_id,
    ratePrecision: config.rate_precision,
    scale,
    pip: config.pip,
    pipPoints,
    baseUnit,
    contractSize: config.contract_size ?? (isForex(config) ? 1000 : 1),
    mmr: config.mmr * 100,
    emr: (config.emr ?? config.mmr) * 100,
    lmr: (config.lmr ?? config.mmr / 2) * 100,
    rollBuy: (config.roll_buy ?? 0) * 100,
    rollSell: (config.roll_sell ?? 0) * 100,
    settlementDays: config.settlement_days ?? 2,
    stopDistance: points(config.stop_distance ?? 0),
    limitDistance: points(config.limit_distance ?? 0),
    liquidity: config.liquidity ? createLiquidity(config.liquidity, pipPoints) : null,
    startRate: Math.round(config.start_rate * scale),
    spread: points(config.spread),
    volatility: (config.volatility ?? 0.4) * pipPoints,
  };
  checkInstrument(instrument);
  return instrument;
}

export function createLiquidity(config: LiquidityConfig, pipPoints: number): Liquidity {
  const { amount, step = 0, levels, recovery_ms: recoveryMs = 5000 } = config;
  return {
    amount,
    step: Math.round(step * pipPoints),
    levels: levels ?? Number.POSITIVE_INFINITY,
    recoveryMs,
  };
}

function checkInstrument(instrument: Instrument): void {
  const { liquidity, baseUnit } = instrument;
  const rules: readonly (readonly [string, boolean])[] = [
    ["offer_id must be a positive integer", isPositiveInteger(instrument.offerId)],
    ["rate_precision must be an integer from 0 to 8", isPrecision(instrument.ratePrecision)],
    ["pip must be a multiple of the last digit of a rate", isPositiveInteger(instrument.pipPoints)],
    ["base_unit must be a positive integer", isPositiveInteger(baseUnit)],
    ["contract_size must be a positive integer", isPositiveInteger(instrument.contractSize)],
    ["start_rate must be positive", isPositiveInteger(instrument.startRate)],
    ["spread must not be negative", instrument.spread >= 0],
    ["volatility must not be negative", instrument.volatility >= 0],
    ["settlement_days must be a positive integer", isPositiveInteger(instrument.settlementDays)],
    ["stop_distance must not be negative", instrument.stopDistance >= 0],
    ["limit_distance must not be negative", instrument.limitDistance >= 0],
    [
      "margins must not be negative",
      [instrument.mmr, instrument.emr, instrument.lmr].every(isCents),
    ],
    [
      "roll_buy and roll_sell must be numbers",
      [instrument.rollBuy, instrument.rollSell].every(Number.isFinite),
    ],
    [
      "liquidity.amount must be a positive multiple of base_unit",
      liquidity === null ||
        (isPositiveInteger(liquidity.amount) && liquidity.amount % baseUnit === 0),
    ],
    ["liquidity.step must not be negative", liquidity === null || liquidity.step >= 0],
    ["liquidity.recovery_ms must not be negative", liquidity === null || liquidity.recoveryMs >= 0],
    ["liquidity.levels must be at least 1", liquidity === null || liquidity.levels >= 1],
  ];
  for (const [rule, holds] of rules) {
    if (!holds) throw new TypeError(`The instrument ${instrument.symbol}: ${rule}`);
  }
}

function isForex({ instrument_type = 1 }: InstrumentConfig): boolean {
  return instrument_type === 1;
}

function isPositiveInteger(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function isPrecision(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 8;
}

function isCents(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

/** Converts points to a rate. */
export function rateOf(instrument: Instrument, points: number): number {
  return points / instrument.scale;
}

/** Converts a rate, or a distance between rates, to points. */
export function pointsOf(instrument: Instrument, rate: number): number {
  return Math.round(rate * instrument.scale);
}
