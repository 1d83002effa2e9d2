import { type Resource, requireName } from "./resource.ts";

/** Resources below a prefix. */
export interface Group {
  /** The segments of the prefix. */
  readonly prefix: readonly string[];
  readonly members: readonly (Resource | Group)[];
}

/**
 * Puts resources, and other groups, under a prefix.
 * @param prefix one segment or several, such as `api/v1`
 * @throws TypeError for a segment that is no path name
 */
export function group(prefix: string, members: readonly (Resource | Group)[]): Group {
  const segments = prefix.split("/");
  for (const segment of segments) requireName(segment);
  return { prefix: segments, members };
}
