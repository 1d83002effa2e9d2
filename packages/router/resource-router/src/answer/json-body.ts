/** @throws TypeError JSON cannot represent the value, or would turn a part of it into `{}` */
export function jsonText(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw notJson(typeof value);
  // Rare, and found much faster than by visiting every part.
  if (text.includes("{}")) JSON.stringify(value, requireKept);
  return text;
}

/** Maps, forms, errors, expressions and the like keep nothing in properties that JSON would write. */
function requireKept(_name: string, part: unknown): unknown {
  if (typeof part === "object" && part !== null && Object.keys(part).length === 0) {
    const kind: object | null = Object.getPrototypeOf(part);
    const isPlain = kind === null || Object.getPrototypeOf(kind) === null || Array.isArray(part);
    if (!isPlain || Symbol.toStringTag in part) throw notJson(kindOf(part));
  }
  return part;
}

function kindOf(part: object): string {
  const tag = Symbol.toStringTag in part ? part[Symbol.toStringTag] : undefined;
  return typeof tag === "string" ? tag : part.constructor.name || "object";
}

function notJson(kind: string): TypeError {
  return new TypeError(`A ${kind} cannot be sent as JSON.`);
}
