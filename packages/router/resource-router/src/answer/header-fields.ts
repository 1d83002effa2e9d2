/** A header with several values is sent as several lines. */
export type HeaderFields = Readonly<Record<string, string | readonly string[]>>;

/** Alternating names and values, as Node's `writeHead` takes them; names in lower case. */
export function rawHeaders(fields: HeaderFields): string[] {
  const raw: string[] = [];
  for (const [name, values] of Object.entries(fields)) {
    if (typeof values === "string") raw.push(name.toLowerCase(), values);
    else for (const value of values) raw.push(name.toLowerCase(), value);
  }
  return raw;
}

/** The first value of a header; undefined if there is none. */
export function headerValue(raw: readonly string[], name: string): string | undefined {
  for (let index = 0; index < raw.length; index += 2)
    if (raw[index] === name) return raw[index + 1];
  return undefined;
}

/** Adds a header unless it is already set. */
export function addDefault(raw: string[], name: string, value: string): void {
  if (headerValue(raw, name) === undefined) raw.push(name, value);
}
