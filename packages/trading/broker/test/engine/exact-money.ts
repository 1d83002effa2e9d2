import type { OfferRecord, OpenPositionRecord } from "@proj/trading-client";

export const cents = (dollars: number): number => Math.round(dollars * 100);
export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

const scale = 10n ** 8n;
const fixed = (rate: number): bigint => BigInt(Math.round(rate * 1e8));
type Fraction = readonly [numerator: bigint, denominator: bigint];

/** Rounds halves away from zero. */
function rounded([numerator, denominator]: Fraction): number {
  const size = numerator < 0n ? -numerator : numerator;
  const result = Number((2n * size + denominator) / (2n * denominator));
  return numerator < 0n ? -result : result;
}

const product = (a: Fraction, b: Fraction): Fraction => [a[0] * b[0], a[1] * b[1]];

/** The value of a unit of one currency in another, at the mid prices of the Offer rows. */
function exactRate(offers: readonly OfferRecord[], from: string, to: string): Fraction {
  if (from === to) return [1n, 1n];
  for (const { currency, sell, buy } of offers) {
    const middle: Fraction = [fixed(sell) + fixed(buy), 2n * scale];
    if (currency === `${from}/${to}`) return middle;
    if (currency === `${to}/${from}`) return [middle[1], middle[0]];
  }
  return product(exactRate(offers, from, "USD"), exactRate(offers, "USD", to));
}

export const exactMoney = (
  offers: readonly OfferRecord[],
  money: number,
  from: string,
  to: string,
): number => rounded(product([BigInt(money), 1n], exactRate(offers, from, to)));

/** Exact profit from the decimals of the rows, in cents of a currency. */
export function exactProfit(
  offers: readonly OfferRecord[],
  trade: Pick<OpenPositionRecord, "currency" | "isBuy" | "open" | "close" | "amountK">,
  currency: string,
): number {
  const [, quote = ""] = trade.currency.split("/");
  const difference = fixed(trade.close) - fixed(trade.open);
  const gain = (trade.isBuy ? difference : -difference) * BigInt(trade.amountK) * 100_000n;
  return rounded(product([gain, scale], exactRate(offers, quote, currency)));
}
