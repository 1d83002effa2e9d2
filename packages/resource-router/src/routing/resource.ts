import type { Operations } from "./operations.ts";
import { type PathForm, pathForm } from "./path-form.ts";

export interface Resource {
  readonly name: string;
  /** `/<name>` and `/<name>/` */
  readonly collection: PathForm;
  /** `/<name>/<id>` */
  readonly item: PathForm;
}

/**
 * Registers operations under a path name. They are called as methods of the object that holds them,
 * which may be an instance of a class.
 * @param name one segment: letters (case counts), digits, `-`, `.`, `_` and `~`
 * @throws TypeError for any other name, and for an operation that is no function
 */
export function resource(name: string, operations: Operations): Resource {
  requireName(name);
  return {
    name,
    collection: pathForm(name, "collection", operations),
    item: pathForm(name, "item", operations),
  };
}

/** The characters that have one spelling in a URL (RFC 3986, section 2.3), so that a name has one as well. */
export function requireName(name: string): void {
  if (/^[A-Za-z0-9._~-]+$/.test(name) && name !== "." && name !== "..") return;
  throw new TypeError(
    `A path name cannot be ${JSON.stringify(name)}: it takes letters, digits, '-', '.', '_' and '~'.`,
  );
}
