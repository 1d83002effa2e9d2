/** A query parameter has the wrong form; the message says what it must be. */
export class QueryError extends TypeError {
  override readonly name = "QueryError";
}

/** Undefined: missing or empty. */
export const textOf = (query: URLSearchParams, name: string): string | undefined =>
  query.get(name) || undefined;

/** @throws QueryError it is not a whole number, 0 or larger */
export function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = textOf(query, name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new QueryError(`The query parameter '${name}' must be a whole number, not '${cut(text)}'.`);
}

export const cut = (text: string): string => text.slice(0, 40);
