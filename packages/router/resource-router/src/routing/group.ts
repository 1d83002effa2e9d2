import type { Hook } from "../operation/hook.ts";
import { requireName } from "./path-template.ts";
import type { Resource } from "./resource.ts";

/** Resources below a prefix. */
export interface Group {
  /** The segments of the prefix. */
  readonly prefix: readonly string[];
  readonly members: readonly (Resource | Group)[];
  readonly hooks: readonly Hook[];
}

export interface GroupOptions {
  /** Run around every operation of the members, the first one outermost. @default none */
  readonly hooks?: readonly Hook[];
}

/**
 * Puts resources, and other groups, under a prefix.
 * @param prefix one or more segments, such as `api/v1`
 * @throws TypeError a segment is not a path name
 */
export function group(
  prefix: string,
  members: readonly (Resource | Group)[],
  { hooks = [] }: GroupOptions = {},
): Group {
  const segments = prefix.split("/");
  for (const segment of segments) requireName(segment);
  return { prefix: segments, members, hooks };
}
