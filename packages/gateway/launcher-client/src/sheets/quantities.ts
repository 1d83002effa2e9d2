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

/** Nano-dollars (10^-9 US dollars) as `$12.50` or `$0.0375`: to the cent, or three significant digits. */
export function dollars(nanodollars: number): string {
  const amount = nanodollars / 1e9;
  if (amount >= 1 || amount === 0) return `$${amount.toFixed(2)}`;
  const digits = Math.min(Math.max(2 - Math.floor(Math.log10(amount)), 2), 9);
  return `$${amount.toFixed(digits)}`;
}

/** `$12.345678901`: every nano-dollar, and at least the cents. @param nanodollars a whole number, 0 or larger */
export function exactDollars(nanodollars: number): string {
  const digits = BigInt(Math.round(nanodollars)).toString().padStart(10, "0");
  const fraction = digits.slice(-9).replace(/0{1,7}$/, "");
  return `$${digits.slice(0, -9)}.${fraction}`;
}
