import type { PropertyRecord } from "../setting-records.ts";
import type { MarketHoursConfig } from "./hours-config.ts";
import { createMarketHours, type MarketHours } from "./market-hours.ts";

const prefix = "market_hours.";

/**
 * The row of the Properties table with the hours of an instrument type.
 * @param config null: it never closes
 */
export function marketHoursProperty(
  instrumentType: number,
  config: MarketHoursConfig | null,
): PropertyRecord {
  return { name: `${prefix}${instrumentType}`, value: JSON.stringify(config) };
}

/**
 * The hours of each instrument type, from a server's Properties table; null: it never closes.
 * @throws TypeError a row has malformed hours
 */
export function readMarketHours(
  properties: Iterable<PropertyRecord>,
): ReadonlyMap<number, MarketHours | null> {
  const hours = new Map<number, MarketHours | null>();
  for (const { name, value } of properties) {
    if (!name.startsWith(prefix)) continue;
    const config = parseConfig(name, value);
    hours.set(Number(name.slice(prefix.length)), config && createMarketHours(config));
  }
  return hours;
}

function parseConfig(name: string, value: string): MarketHoursConfig | null {
  try {
    const config: unknown = JSON.parse(value);
    if (config === null || isConfig(config)) return config;
  } catch {
    // Reported below.
  }
  throw new TypeError(`The server's property ${name} does not hold market hours: ${value}`);
}

function isConfig(value: unknown): value is MarketHoursConfig {
  if (typeof value !== "object" || value === null) return false;
  const { time_zone, sessions, holidays = [] }: Partial<Record<string, unknown>> = { ...value };
  const lists = [sessions, holidays];
  return (
    typeof time_zone === "string" &&
    lists.every((list) => Array.isArray(list) && list.every(hasOpeningAndClosing))
  );
}

function hasOpeningAndClosing(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { opens, opens_by = "", closes }: Partial<Record<string, unknown>> = { ...value };
  return [opens, opens_by, closes].every((time) => typeof time === "string");
}
