/** Faults on request, to see how a bot takes them. All are off by default. */
export interface FaultSettings {
  /** Milliseconds after which one connection, chosen at random, is dropped, again and again. @default 0, which is never */
  readonly drop_interval_ms: number;
  /** Milliseconds that every push is held back; the order stays. @default 0 */
  readonly push_delay_ms: number;
  /** The share of pushes that are sent twice, from 0 to 1. @default 0 */
  readonly duplicate_share: number;
  /** The share of orders that are refused with code 33, from 0 to 1. @default 0 */
  readonly refuse_share: number;
  /** How many of the next orders are refused. @default 0 */
  readonly refuse_next: number;
}

export const noFaults: FaultSettings = {
  drop_interval_ms: 0,
  push_delay_ms: 0,
  duplicate_share: 0,
  refuse_share: 0,
  refuse_next: 0,
};

export const faultNames: readonly (keyof FaultSettings)[] = [
  "drop_interval_ms",
  "push_delay_ms",
  "duplicate_share",
  "refuse_share",
  "refuse_next",
];

/** The longest that a timer takes, about 24 days. */
const maxMs = 2 ** 31 - 1;

/** What is wrong with a value, such as "must be from 0 to 1"; null: nothing. */
export function faultProblem(name: keyof FaultSettings, value: number): string | null {
  if (name.endsWith("_share")) return value >= 0 && value <= 1 ? null : "must be from 0 to 1";
  if (Number.isSafeInteger(value) && value >= 0 && value <= maxMs) return null;
  return `must be a whole number from 0 to ${maxMs}`;
}

/** @throws TypeError a value that makes no sense */
export function checkFaults(settings: FaultSettings): FaultSettings {
  for (const name of faultNames) {
    const problem = faultProblem(name, settings[name]);
    if (problem !== null) throw new TypeError(`${name} ${problem}, but is ${settings[name]}`);
  }
  return settings;
}
