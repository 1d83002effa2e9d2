/** The largest 128-bit integer: the amounts of all tokens and pools fit in it. */
const largestAmount: bigint = 2n ** 128n - 1n;
const largestDigits = largestAmount.toString().length;
const amountForm: RegExp = /^(?:0|[1-9]\d{0,38})$/;

/** Whether the text is a decimal integer from 0 to 2^128 - 1, without sign, fraction or leading zeros. */
export function isAmount(text: string): boolean {
  if (!amountForm.test(text)) return false;
  return text.length < largestDigits || BigInt(text) <= largestAmount;
}
