/** The keys and indices that lead to a value in a configuration file. */
export type KeyPath = readonly string[];

/** JSON Pointer (RFC 6901) of a path; the empty string means the whole file. */
export const toPointer = (path: KeyPath): string =>
  path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

export const fromPointer = (pointer: string): KeyPath =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

/** In the form that people write: `llm_routes["gpt-4.1"].base_urls[0]`. */
export function formatKeyPath(path: KeyPath): string {
  let text = "";
  for (const key of path) {
    if (/^[A-Za-z_][\w-]*$/.test(key)) text += text === "" ? key : `.${key}`;
    else if (/^\d+$/.test(key)) text += `[${key}]`;
    else text += `[${JSON.stringify(key)}]`;
  }
  return text;
}

/** The value at a path, through own members only; undefined if there is none. */
export function valueAt(root: unknown, ...path: string[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
