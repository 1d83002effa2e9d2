import {
  type Extension,
  extensionsProperty,
  forexHoursConfig,
  type MarketHoursConfig,
  marketHoursProperty,
  type PropertyRecord,
} from "@proj/trading-client/wire";
import type { AccountConfig } from "../engine/account.ts";
import { configuredCurrency } from "../engine/conversion.ts";
import type { Limits } from "../engine/desk.ts";
import type { FillModelConfig } from "../engine/fill-model.ts";
import { defaultInstruments, type InstrumentConfig } from "../instruments/instrument-config.ts";
import type { MarketHoursByType } from "../instruments/trading-hours.ts";
import type { PriceSourceConfig } from "./open-price-source.ts";

export interface PaperMarketOptions {
  readonly accounts: readonly AccountConfig[];
  /** @default eight major pairs */
  readonly instruments?: readonly InstrumentConfig[];
  /** @default a simulated market with seed 1 */
  readonly prices?: PriceSourceConfig;
  /**
   * The hours of each instrument type; null: everything is always open. Types that are missing are always
   * open, too.
   * @default forex hours for type 1
   */
  readonly hours?: MarketHoursByType | null;
  /**
   * Market milliseconds per real millisecond; 0: only `advanceTo` and POST /control/advance move the market. At speeds other than 1,
   * time in which no market is open is skipped.
   * @default 1
   */
  readonly speed?: number;
  /** An SQLite file, used by this process alone; null: in memory. @default null */
  readonly state_file?: string | null;
  /** Rows for the Properties table, beside the server's own or instead of them. @default [] */
  readonly properties?: readonly PropertyRecord[];
  readonly limits?: Partial<Limits>;
  /** How orders are filled. @default null: at once, in full, at the quote */
  readonly fill_model?: FillModelConfig | null;
}

export type MarketSettings = Required<Omit<PaperMarketOptions, "limits">> & {
  readonly limits: Limits;
};

/** What this server offers beyond the interface. */
const extensions: readonly Extension[] = [
  "client_tag",
  "request_id",
  "transactions",
  "closed_positions",
  "stop_and_limit",
];

const defaultLimits: Limits = { orders: 1000, positions: 1000, closedPositions: 10_000 };

/** @throws TypeError an invalid number, a duplicate, or no account */
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
    throw new TypeError(`speed must be a non-negative number, but is ${speed}`);
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
  const given = new Set(settings.properties.map(({ name }) => name));
  const own = [
    ...accountCurrencies(settings.accounts),
    {
      name: extensionsProperty,
      value: [...extensions, ...(settings.speed === 0 ? ["advance"] : [])].join(" "),
    },
    { name: "price_source", value: settings.prices.type },
    { name: "speed", value: String(settings.speed) },
    ...[...types].map((type) => marketHoursProperty(type, hoursOf(settings.hours, type))),
  ];
  return [...own.filter(({ name }) => !given.has(name)), ...settings.properties];
}

/** One row for all accounts or, if they differ, one per account. */
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
  if (ids.length === 0) throw new TypeError(`${name} must have at least one entry`);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new TypeError(`${name} lists ${twice} twice`);
}
