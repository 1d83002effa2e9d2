/** Whether the text must be an account name rather than an id, which has no leading zeros. */
export function looksLikeAccountName(text: string): boolean {
  return /^0\d/.test(text);
}
