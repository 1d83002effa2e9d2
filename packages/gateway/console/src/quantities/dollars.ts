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
