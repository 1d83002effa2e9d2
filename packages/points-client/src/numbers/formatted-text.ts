import { scaledText } from "./scaled-text.ts";

export interface FormatOptions extends Intl.NumberFormatOptions {
  /** @default the reader's */
  readonly locale?: string | undefined;
}

/**
 * An integer that is scaled by a power of ten as people read it: grouped, or compact with
 * `notation: "compact"`. No digit is lost on the way, and what is cut off is rounded down, so that nobody
 * reads more than there is.
 * @param options of `Intl.NumberFormat` @default at most 2 digits of the fraction
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
  // As text, Intl takes numbers of any size exactly.
  return format.format(scaledText(value, decimals) as `${number}`);
}
