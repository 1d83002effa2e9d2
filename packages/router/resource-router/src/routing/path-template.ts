import type { Params } from "../operation/context.ts";

type ParamNames<Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? ParamName<Head> | ParamNames<Rest>
  : never;
type ParamName<Segment extends string> = Segment extends `{${infer Name}}` ? Name : never;

/** The ids that operations get from a path such as `posts/{post}/comments`. */
export type ParamsOf<Path extends string> = string extends Path
  ? Params
  : { readonly [Name in ParamNames<Path>]: string };

export interface PathTemplate {
  /** The names of the collections; the last one is the resource's own. */
  readonly names: readonly string[];
  /** The names of the ids between them. */
  readonly params: readonly string[];
}

/** @throws TypeError the path is neither a name nor names with `{ids}` in between */
export function parsePath(path: string): PathTemplate {
  const names: string[] = [];
  const params: string[] = [];
  for (const [index, segment] of path.split("/").entries()) {
    if (index % 2 === 0) names.push(segment);
    else params.push(paramName(segment, path));
  }
  if (names.length === params.length) throw malformed(path);
  for (const name of names) requireName(name, path);
  if (new Set(params).size < params.length) throw malformed(path);
  return { names, params };
}

/** The characters with a single spelling in a URL (RFC 3986, section 2.3), so that a name has only one too. */
export function requireName(name: string, path: string = name): void {
  if (/^[A-Za-z0-9._~-]+$/.test(name) && name !== "." && name !== "..") return;
  throw malformed(path);
}

/** `id` is reserved for the item itself. */
function paramName(segment: string, path: string): string {
  const name = /^\{([A-Za-z_]\w*)\}$/.exec(segment)?.[1];
  if (name === undefined || name === "id") throw malformed(path);
  return name;
}

function malformed(path: string): TypeError {
  return new TypeError(
    `A path cannot be ${JSON.stringify(path)}: it takes names of letters, digits, '-', '.', '_' and '~', ` +
      "and below an item '{name}', once each and not '{id}'.",
  );
}
