import type { Hook } from "../operation/hook.ts";
import type { Operations } from "../operation/operations.ts";
import { operationsAt } from "./path-form.ts";
import { type ParamsOf, type PathTemplate, parsePath } from "./path-template.ts";

export interface Resource<Ops = Operations> {
  /** Its path: a name, or names with the ids of items in between. */
  readonly name: string;
  readonly template: PathTemplate;
  readonly operations: Ops;
  readonly hooks: readonly Hook[];
}

export interface ResourceOptions {
  /** Run around every operation of the resource, the first one outermost. @default none */
  readonly hooks?: readonly Hook[];
}

/**
 * Registers operations under a path. They are called as methods of the object that holds them, which may be an
 * instance of a class.
 * @param path a name of letters (case-sensitive), digits, `-`, `.`, `_` and `~`; or below an item of another
 *   resource, `posts/{post}/comments`, whose operations get the post's id as `params.post`
 * @throws TypeError the path is invalid, or an operation is not a function
 */
export function resource<const Path extends string, Ops extends Operations<ParamsOf<Path>>>(
  path: Path,
  operations: Ops,
  { hooks = [] }: ResourceOptions = {},
): Resource<Ops> {
  const template = parsePath(path);
  for (const form of ["collection", "item"] as const) operationsAt(form, path, operations);
  return { name: path, template, operations, hooks };
}
