/**
 * Sets members of the JSON object `meta_json` by splicing them in, so that its other bytes stay unchanged. A value
 * that is not an object is replaced.
 */
export function withMeta(meta_json: string, members: Readonly<Record<string, unknown>>): string {
  return splice(meta_json, JSON.stringify(members).slice(1, -1));
}

/** Sets one member in the same way; its value is JSON text. */
export function withMetaText(meta_json: string, key: string, json: string): string {
  return splice(meta_json, `${JSON.stringify(key)}:${json}`);
}

/** Sets one member in the same way, replacing the one that `withMetaText` set under that name. */
export function withReplacedMetaText(meta_json: string, key: string, json: string): string {
  return withMetaText(withoutLast(meta_json, key), key, json);
}

/** Null if the text is not a JSON object. */
export function parseMeta(meta_json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(meta_json);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch {
    return null;
  }
}

/** The text without the member that was set last; the other bytes stay unchanged. */
function withoutLast(meta_json: string, key: string): string {
  const { [key]: present, ...others } = parseMeta(meta_json) ?? {};
  if (present === undefined) return meta_json;
  const name = `${JSON.stringify(key)}:`;
  for (let at = meta_json.lastIndexOf(name); at > 0; at = meta_json.lastIndexOf(name, at - 1)) {
    // At any other place, such as inside a string, the text before it does not close to an object.
    const before = `${meta_json.slice(0, at).trimEnd().replace(/,$/, "")}}`;
    const rest = parseMeta(`{${meta_json.slice(at)}`);
    if (rest !== null && Object.keys(rest).length === 1 && parseMeta(before) !== null)
      return before;
  }
  return JSON.stringify(others);
}

function splice(meta_json: string, added: string): string {
  if (parseMeta(meta_json) === null) return `{${added}}`;
  const open = meta_json.trimEnd().slice(0, -1).trimEnd();
  return open.endsWith("{") ? `{${added}}` : `${open},${added}}`;
}
