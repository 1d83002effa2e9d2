const form = /^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/;

/** Whether it has the form `<base>/<quote>`. */
export function isSymbol(text: string): boolean {
  return form.test(text);
}

/** @throws TypeError it is not `<base>/<quote>` */
export function parseSymbol(text: string): { readonly base: string; readonly quote: string } {
  const [base, quote] = isSymbol(text) ? text.split("/") : [];
  if (base === undefined || quote === undefined) {
    throw new TypeError(`${JSON.stringify(text)} is not a symbol: write it as EUR/USD`);
  }
  return { base, quote };
}
