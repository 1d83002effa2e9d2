/** @throws TypeError JSON cannot represent the value, or would turn it into `{}` */
export function jsonText(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw notJson(typeof value);
  if (text === "{}" && typeof value === "object" && value !== null) requirePlain(value);
  return text;
}

/** Maps, sets, forms and the like keep nothing in properties. */
function requirePlain(value: object): void {
  const kind = Symbol.toStringTag in value ? value[Symbol.toStringTag] : undefined;
  if (typeof kind === "string" && !("toJSON" in value)) throw notJson(kind);
}

function notJson(kind: string): TypeError {
  return new TypeError(`A ${kind} cannot be sent as JSON.`);
}
