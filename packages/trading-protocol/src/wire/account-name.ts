/** Whether it can only be an account's name: the id is the name without its leading zeros. */
export function looksLikeAccountName(text: string): boolean {
  return /^0\d/.test(text);
}
