/** More digits than a double can hold, at a place where a number may begin. */
const longNumber = /[-:,[\s]\d{16}/;
// Not in TypeScript's library yet (ECMA-262, JSON.parse source text access).
const rawJson: (text: string) => unknown = Reflect.get(JSON, "rawJSON");

/**
 * Parses a JSON text. Large numbers are kept as written, as raw JSON that `writeJson` writes back; undefined
 * if the text is not JSON.
 */
export function parseJson(text: string): unknown {
  try {
    return longNumber.test(text) ? JSON.parse(text, keepNumber) : JSON.parse(text);
  } catch (error) {
    // The engine's reviver recurses; parsing alone does not.
    if (error instanceof RangeError) return JSON.parse(text);
    return namedNumber.test(text) ? parseNamedNumbers(text) : undefined;
  }
}

/** Python's json writes these numbers by their names, and reads them. */
const namedNumber = /Infinity|NaN/;

function parseNamedNumbers(text: string): unknown {
  try {
    return JSON.parse(withoutNames(text), keepNumber);
  } catch {
    return undefined;
  }
}

/** NaN becomes null, and infinity a number too large for a double, which parsers take for infinity. */
function withoutNames(text: string): string {
  let result = "";
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const start = quote === -1 ? text.length : quote;
    result += text.slice(at, start).replaceAll("Infinity", "1e999").replaceAll("NaN", "null");
    at = endOfString(text, start);
    result += text.slice(start, at);
  }
  return result;
}

/** Behind the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** The JSON text of a parsed value; null for one nested too deeply for the engine. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    if (error instanceof RangeError) return "null";
    throw error;
  }
}

function keepNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source === undefined || source === String(value) ? value : rawJson(source);
}
