/** A header of several values is sent as several lines. */
export type HeaderFields = Readonly<Record<string, string | readonly string[]>>;

/** Names and values in turn, as Node's `writeHead` takes them; names in lower case. */
export function rawHeaders(fields: HeaderFields): string[] {
  const raw: string[] = [];
  for (const [name, values] of Object.entries(fields)) {
    if (typeof values === "string") raw.push(name.toLowerCase(), values);
    else for (const value of values) raw.push(name.toLowerCase(), value);
  }
  return raw;
}

export function hasHeader(raw: readonly string[], name: string): boolean {
  for (let index = 0; index < raw.length; index += 2) if (raw[index] === name) return true;
  return false;
}
