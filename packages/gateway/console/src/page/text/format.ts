const counted = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
const rewards = new Intl.NumberFormat(undefined, {
  maximumFractionDigits: 3,
  maximumSignificantDigits: 4,
  roundingPriority: "lessPrecision",
  // Without a sign for -0.
  signDisplay: "negative",
});

export const count = (value: number): string => counted.format(value);
export const compact = (value: number): string => short.format(value);
export const reward = (value: number): string => rewards.format(value);

export function bytes(value: number): string {
  if (value < 1000) return `${count(value)} B`;
  const [, divisor, unit] = byteUnits.find(([below]) => value < below) ?? largestUnit;
  return `${counted.format(Math.round((10 * value) / divisor) / 10)} ${unit}`;
}

const largestUnit = [Number.POSITIVE_INFINITY, 1e9, "GB"] as const;
/** Below how many bytes each unit is used. */
const byteUnits: readonly (readonly [number, number, string])[] = [
  [1e6, 1e3, "kB"],
  [1e9, 1e6, "MB"],
];

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

const unknownTime = "at an unknown time";

export function ago(iso: string): string {
  if (Number.isNaN(Date.parse(iso))) return unknownTime;
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return relative.format(Math.round(seconds / length), unit);
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

export const clock = (iso: string): string =>
  Number.isNaN(Date.parse(iso)) ? unknownTime : timeOf(iso);

const timeOf = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });

export const plural = (value: number, one: string, many: string = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
