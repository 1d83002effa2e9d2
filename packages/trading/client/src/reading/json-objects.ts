export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Merges the members of one JSON object or several consecutive ones, as in some immediate responses to
 * orders (`{"executed":true}{"type":0,"orderId":1}`).
 * @throws Error it is neither
 */
export function parseJsonObjects(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    const objects = splitObjects(text).map((part): unknown => JSON.parse(part));
    if (objects.length > 1 && objects.every(isJsonObject)) return Object.assign({}, ...objects);
  }
  throw new TypeError(`this is not a JSON object: ${text.slice(0, 100)}`);
}

const token = /"(?:[^"\\]|\\.)*"|[{}]|[^{}"]+|"/gs;

/** An object ends where the braces outside strings are balanced. */
function splitObjects(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const [piece] of text.matchAll(token)) {
    // Objects are separated by white space or a comma.
    if (depth === 0 && /^[\s,]*$/.test(piece)) continue;
    part += piece;
    if (piece === "{") depth += 1;
    if (piece === "}") depth -= 1;
    if (piece === "}" && depth === 0) {
      parts.push(part);
      part = "";
    }
  }
  return part === "" ? parts : [...parts, part];
}
