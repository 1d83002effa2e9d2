export const money = (amount) =>
  amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const signed = (amount, digits) => `${amount > 0 ? "+" : ""}${amount.toFixed(digits)}`;

/** A rate; nothing where there is none. */
export const rate = (value, precision) => (value === 0 ? "" : value.toFixed(precision));

export const side = (isBuy) => (isBuy ? "buy" : "sell");
