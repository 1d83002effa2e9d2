/** Sets members of the JSON object `meta_json` by a splice, so that its other bytes stay as they are. What is no object is replaced. */
export function withMeta(meta_json: string, members: Readonly<Record<string, unknown>>): string {
  return splice(meta_json, JSON.stringify(members).slice(1, -1));
}

/** Sets one member, whose value is JSON text, likewise. */
export function withMetaText(meta_json: string, key: string, json: string): string {
  return splice(meta_json, `${JSON.stringify(key)}:${json}`);
}

/** Null where the text is no JSON object. */
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

function splice(meta_json: string, added: string): string {
  if (parseMeta(meta_json) === null) return `{${added}}`;
  const open = meta_json.trimEnd().slice(0, -1).trimEnd();
  return open.endsWith("{") ? `{${added}}` : `${open},${added}}`;
}
