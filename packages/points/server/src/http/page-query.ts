import { badRequest } from "@proj/resource-router";
import type { Season } from "../program/program.ts";
import type { PageQuery } from "../snapshots/page.ts";

const defaultSize = 25;

/** @throws Problem 400 */
export function readPageQuery(
  query: URLSearchParams,
  seasons: readonly Season[] = [],
): Pick<PageQuery, "offset" | "size" | "snapshot" | "season"> {
  const snapshot = single(query, "snapshot");
  const season = single(query, "season");
  if (season !== null && !seasons.some(({ name }) => name === season))
    throw badRequest(`'${season.slice(0, 80)}' is not a season; see /seasons.`);
  return {
    offset: count(query, "offset") ?? 0,
    size: count(query, "size") ?? defaultSize,
    ...(snapshot === null ? {} : { snapshot }),
    ...(season === null ? {} : { season }),
  };
}

/** Accepts a whole number of any size: one too large to be exact is beyond the end of any ranking anyway. */
function count(query: URLSearchParams, name: string): number | null {
  const text = single(query, name);
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  throw badRequest(`'${name}' must be a whole number of at least 0, not '${text.slice(0, 80)}'.`);
}

/** @throws Problem 400 the parameter is repeated: nothing says which one is meant */
export function single(query: URLSearchParams, name: string): string | null {
  const [value = null, ...more] = query.getAll(name);
  if (more.length === 0) return value;
  throw badRequest(`'${name}' is in the query ${more.length + 1} times. Give it once.`);
}
