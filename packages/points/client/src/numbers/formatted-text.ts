import { scaledText } from "./scaled-text.ts";

export interface FormatOptions extends Intl.NumberFormatOptions {
  /** @default the runtime's */
  readonly locale?: string | undefined;
}

/**
 * Formats a scaled integer for people: grouped, or compact with `notation: "compact"`. No digits are lost on the
 * way, and the result is rounded down, so that it never shows more than there is.
 * @param options of `Intl.NumberFormat` @default at most 2 fraction digits
 * @throws RangeError
 */
export function formattedText(
  value: bigint,
  decimals: number,
  { locale, ...options }: FormatOptions = {},
): string {
  const format = new Intl.NumberFormat(locale, {
    ...{ maximumFractionDigits: 2, roundingMode: "trunc" },
    ...options,
  });
  // Intl formats a number given as text exactly, whatever its size.
  return format.format(scaledText(value, decimals) as `${number}`);
}
