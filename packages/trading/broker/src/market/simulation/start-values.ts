import { configuredCurrency } from "../../engine/conversion.ts";
import type { Instrument } from "../../instruments/instrument.ts";

/** The first instrument that reaches a currency sets its value in dollars; the rates of later ones are derived. */
export function startValues(instruments: readonly Instrument[]): ReadonlyMap<string, number> {
  const values = new Map([[configuredCurrency, 1]]);
  let left = instruments;
  while (left.length > 0) {
    const unreached: Instrument[] = [];
    for (const instrument of left) {
      const { base, quote, startRate, scale } = instrument;
      const rate = startRate / scale;
      const [baseValue, quoteValue] = [values.get(base), values.get(quote)];
      if (quoteValue !== undefined) values.set(base, baseValue ?? quoteValue * rate);
      else if (baseValue !== undefined) values.set(quote, baseValue / rate);
      else unreached.push(instrument);
    }
    // None of the remaining currencies trades against one with a value.
    const [first] = unreached;
    if (first !== undefined && unreached.length === left.length) values.set(first.quote, 1);
    left = unreached;
  }
  return values;
}

/** What a year's swaps pay for holding a currency against dollars, as a share of its value. */
export function yearlyCarries(
  instruments: readonly Instrument[],
  values: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const carries = new Map<string, number>();
  for (const { base, quote, rollBuy, rollSell, baseUnit, contractSize } of instruments) {
    if (base !== configuredCurrency && quote !== configuredCurrency) continue;
    const dollars = baseUnit * contractSize * (values.get(base) ?? 1);
    // Without the broker's margin, which both sides pay.
    const carry = (((rollBuy - rollSell) / 2 / 100) * 365) / dollars;
    const [name, sign] = quote === configuredCurrency ? [base, 1] : [quote, -1];
    if (!carries.has(name)) carries.set(name, sign * carry);
  }
  return carries;
}

/** The instrument type whose hours a currency keeps: forex if it is traded there, else that of its first instrument. */
export function hoursTypes(instruments: readonly Instrument[]): ReadonlyMap<string, number> {
  const types = new Map<string, number>();
  const byForexFirst = instruments.toSorted(
    (a, b) => Number(b.instrumentType === 1) - Number(a.instrumentType === 1),
  );
  for (const { base, quote, instrumentType } of byForexFirst)
    for (const currency of [base, quote])
      if (!types.has(currency)) types.set(currency, instrumentType);
  return types;
}
