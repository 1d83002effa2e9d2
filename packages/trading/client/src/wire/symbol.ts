const pair = /^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/;
const single = /^[A-Za-z0-9._-]+$/;
const metals = ["XAU", "XAG", "XPT", "XPD"];
const currencies: ReadonlySet<string> = new Set([...Intl.supportedValuesOf("currency"), ...metals]);

/**
 * Whether it can be a symbol: `<base>/<quote>`, or the name of another product, such as `US30`, `USOil` or `NVDA.us`.
 * Two currencies without the slash are a mistake.
 */
export function isSymbol(text: string): boolean {
  if (pair.test(text)) return true;
  const letters = text.replaceAll(/[._-]/g, "").toUpperCase();
  const isPair =
    letters.length === 6 && currencies.has(letters.slice(0, 3)) && currencies.has(letters.slice(3));
  return single.test(text) && !isPair;
}

/**
 * The two sides of a symbol; a product without a slash is its own base.
 * @param quote the currency in which such a product is quoted
 * @throws TypeError it cannot be a symbol
 */
export function parseSymbol(
  text: string,
  quote = "USD",
): { readonly base: string; readonly quote: string } {
  if (!isSymbol(text))
    throw new TypeError(`${JSON.stringify(text)} is not a symbol: write it as EUR/USD`);
  const [base = text, second = quote] = text.split("/");
  return { base, quote: second };
}
