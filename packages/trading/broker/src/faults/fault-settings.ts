/** Injected faults, to test how a bot copes. All are off by default. */
export interface FaultSettings {
  /** Interval in milliseconds at which one random connection is dropped. @default 0, never */
  readonly drop_interval_ms: number;
  /** Milliseconds by which every push is delayed; their order stays the same. @default 0 */
  readonly push_delay_ms: number;
  /** The share of pushes sent twice, from 0 to 1. @default 0 */
  readonly duplicate_share: number;
  /** The share of orders refused with code 33, from 0 to 1. @default 0 */
  readonly refuse_share: number;
  /** Number of next orders to refuse. @default 0 */
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

/** The longest delay of a timer, about 24 days. */
const maxMs = 2 ** 31 - 1;

/** Why a value is invalid, such as "must be from 0 to 1"; null: it is valid. */
export function faultProblem(name: keyof FaultSettings, value: number): string | null {
  if (name.endsWith("_share")) return value >= 0 && value <= 1 ? null : "must be from 0 to 1";
  if (Number.isSafeInteger(value) && value >= 0 && value <= maxMs) return null;
  return `must be a whole number from 0 to ${maxMs}`;
}

/** @throws TypeError an invalid value */
export function checkFaults(settings: FaultSettings): FaultSettings {
  for (const name of faultNames) {
    const problem = faultProblem(name, settings[name]);
    if (problem !== null) throw new TypeError(`${name} ${problem}, but is ${settings[name]}`);
  }
  return settings;
}
