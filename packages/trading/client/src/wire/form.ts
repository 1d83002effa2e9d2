export type FormValue = string | number | boolean;

/** Form fields; a list becomes a repeated key, and undefined is omitted. */
export type FormFields = Readonly<Record<string, FormValue | readonly FormValue[] | undefined>>;

/** `application/x-www-form-urlencoded`: `pairs=EUR%2FUSD&pairs=USD%2FJPY`. */
export function encodeForm(fields: FormFields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, String(item));
  }
  return form.toString();
}

/** The values of each key, in order. */
export function decodeForm(body: string): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(body)) {
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  return fields;
}

/** @returns undefined if it is neither true nor false; older bots send `True` and `1` */
export function parseFormBoolean(text: string): boolean | undefined {
  if (/^(true|1)$/i.test(text)) return true;
  if (/^(false|0)$/i.test(text)) return false;
  return undefined;
}

/** @returns undefined if it is not a finite decimal number */
export function parseFormNumber(text: string): number | undefined {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}
