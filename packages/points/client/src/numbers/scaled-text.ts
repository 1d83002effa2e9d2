/**
 * Writes a scaled integer as an exact decimal number: 1500000 with 6 decimals is "1.5".
 * @param decimals 0 to 1000
 * @throws RangeError `decimals` is not a whole number from 0 to 1000
 */
export function scaledText(value: bigint, decimals: number): string {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 1_000)
    throw new RangeError(`decimals must be a whole number from 0 to 1000, not ${decimals}`);
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/(?<!0)0+$/, "");
  return `${value < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
