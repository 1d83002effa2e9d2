/** `42 ms`, `4.2 s`, `3 min 5 s`, `2 h 4 min`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${milliseconds.toFixed(0)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** With four significant digits. */
export const reward = (value: number | null): string =>
  value === null ? "–" : String(Number(value.toPrecision(4)));

/** `1 step`, `2 steps`. */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;
