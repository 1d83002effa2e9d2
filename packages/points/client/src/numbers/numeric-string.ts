/** How a service writes its numeric strings: "64" is 64 in the first form, and 100 in the second. */
export type NumberForm = "decimal" | "hex";

/** A string that is not a numeric string of the expected form. */
export class NumericStringError extends TypeError {
  override readonly name = "NumericStringError";
}

const forms: Readonly<Record<NumberForm, { pattern: RegExp; says: string; prefix: string }>> = {
  decimal: { pattern: /^-?\d+$/, says: "a decimal integer", prefix: "" },
  hex: {
    pattern: /^(?:[0-9a-f]{2})+$/,
    says: "an even number of lower-case hexadecimal digits",
    prefix: "0x",
  },
};

/**
 * The exact value of a numeric string of any size.
 * @throws NumericStringError it has another form
 */
export function numericToBigInt(text: string, form: NumberForm = "decimal"): bigint {
  requireNumeric(text, form);
  return BigInt(forms[form].prefix + text);
}

/** @throws NumericStringError */
export function requireNumeric(text: string, form: NumberForm): void {
  const { pattern, says } = forms[form];
  if (pattern.test(text)) return;
  throw new NumericStringError(`'${text.slice(0, 80)}' is not ${says}`);
}
