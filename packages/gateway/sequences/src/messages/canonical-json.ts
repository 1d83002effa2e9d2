/**
 * Serialises parsed JSON so that values with the same meaning have the same text: keys are sorted. Keeps its
 * own stack, because agents may send values nested deeper than the call stack allows.
 */
export function canonicalJson(value: unknown): string {
  let text = "";
  // What remains to be written, the next on top: literal text, or a boxed value.
  const rest: (string | { readonly value: unknown })[] = [{ value }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === "string") {
      text += next;
    } else if (Array.isArray(next.value)) {
      pushArray(rest, next.value);
    } else if (isObject(next.value)) {
      pushObject(rest, next.value);
    } else {
      text += JSON.stringify(next.value) ?? "null";
    }
  }
  return text;
}

/** An object of parsed JSON; arrays do not count as objects here. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Rest = (string | { readonly value: unknown })[];

function pushArray(rest: Rest, values: readonly unknown[]): void {
  rest.push("]");
  for (let at = values.length - 1; at >= 0; at -= 1) {
    rest.push({ value: values[at] });
    if (at > 0) rest.push(",");
  }
  rest.push("[");
}

function pushObject(rest: Rest, object: Readonly<Record<string, unknown>>): void {
  const keys = Object.keys(object).sort().reverse();
  rest.push("}");
  for (const [at, key] of keys.entries()) {
    rest.push({ value: object[key] }, `${JSON.stringify(key)}:`);
    if (at < keys.length - 1) rest.push(",");
  }
  rest.push("{");
}
