import {
  forexHoursConfig,
  type MarketHoursConfig,
  marketHoursProperty,
  type PropertyRecord,
} from "@proj/trading-protocol";
import type { AccountConfig } from "../engine/account.ts";
import { configuredCurrency } from "../engine/conversion.ts";
import type { Limits } from "../engine/desk.ts";
import type { FillModelConfig } from "../engine/fill-model.ts";
import { defaultInstruments, type InstrumentConfig } from "../instruments/instrument-config.ts";
import type { MarketHoursByType } from "../instruments/trading-hours.ts";
import type { PriceSourceConfig } from "./price-source.ts";

export interface PaperMarketOptions {
  readonly accounts: readonly AccountConfig[];
  /** @default the eight well-known ones */
  readonly instruments?: readonly InstrumentConfig[];
  /** @default a simulated market with seed 1 */
  readonly prices?: PriceSourceConfig;
  /**
   * The hours of each instrument type; null: they are switched off. Types that are not named are
   * always open.
   * @default those of foreign exchange for type 1
   */
  readonly hours?: MarketHoursByType | null;
  /**
   * Market milliseconds in a real one; 0: only `advanceTo` moves it. At another speed than 1 the time
   * in which no market is open is passed over.
   * @default 1
   */
  readonly speed?: number;
  /** An SQLite file, for this process alone; null: the state is in memory. @default null */
  readonly state_file?: string | null;
  /** More rows for the Properties table. @default [] */
  readonly properties?: readonly PropertyRecord[];
  readonly limits?: Partial<Limits>;
  /** How orders are executed. @default null: at once, wholly, at the quote */
  readonly fill_model?: FillModelConfig | null;
}

export type MarketSettings = Required<Omit<PaperMarketOptions, "limits">> & {
  readonly limits: Limits;
};

const defaultLimits: Limits = { orders: 1000, positions: 1000, closedPositions: 10_000 };

/** @throws TypeError a number that makes no sense, or no account */
export function readOptions(options: PaperMarketOptions): MarketSettings {
  const settings: MarketSettings = {
    accounts: options.accounts,
    instruments: options.instruments ?? defaultInstruments,
    prices: options.prices ?? { type: "simulated" },
    hours: options.hours === undefined ? { 1: forexHoursConfig } : options.hours,
    speed: options.speed ?? 1,
    state_file: options.state_file ?? null,
    properties: options.properties ?? [],
    fill_model: options.fill_model ?? null,
    limits: { ...defaultLimits, ...options.limits },
  };
  const { speed, limits } = settings;
  if (!Number.isFinite(speed) || speed < 0) {
    throw new TypeError(`speed must be a number that is not negative, but is ${speed}`);
  }
  for (const [name, limit] of Object.entries(limits)) {
    if (Number.isSafeInteger(limit) && limit > 0) continue;
    throw new TypeError(`limits.${name} must be a positive integer, but is ${limit}`);
  }
  checkUnique(
    "accounts",
    settings.accounts.map(({ account_id }) => account_id),
  );
  checkUnique(
    "instruments",
    settings.instruments.map(({ symbol }) => symbol),
  );
  checkUnique(
    "instruments",
    settings.instruments.map(({ offer_id }) => offer_id),
  );
  return settings;
}

/** The rows of the Properties table. */
export function describeSettings(settings: MarketSettings): readonly PropertyRecord[] {
  const types = new Set(settings.instruments.map(({ instrument_type = 1 }) => instrument_type));
  return [
    ...accountCurrencies(settings.accounts),
    { name: "price_source", value: settings.prices.type },
    { name: "speed", value: String(settings.speed) },
    ...[...types].map((type) => marketHoursProperty(type, hoursOf(settings.hours, type))),
    ...settings.properties,
  ];
}

/** One for all accounts, or, where they differ, one for each. */
function accountCurrencies(accounts: readonly AccountConfig[]): readonly PropertyRecord[] {
  const currencyOf = ({ currency = configuredCurrency }: AccountConfig): string => currency;
  const [first, ...others] = new Set(accounts.map(currencyOf));
  const name = "account_currency";
  if (others.length === 0) return [{ name, value: first ?? configuredCurrency }];
  return [
    { name, value: configuredCurrency },
    ...accounts.map((account) => ({
      ...{ name: `${name}_${account.account_id}`, value: currencyOf(account) },
    })),
  ];
}

function hoursOf(hours: MarketHoursByType | null, type: number): MarketHoursConfig | null {
  return hours?.[type] ?? null;
}

function checkUnique(name: string, ids: readonly (string | number)[]): void {
  if (ids.length === 0) throw new TypeError(`${name} must have an entry`);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new TypeError(`${name} has ${twice} twice`);
}
