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

/** However large a number is, it is one: what lies beyond the exact ones lies beyond every ranking too. */
function count(query: URLSearchParams, name: string): number | null {
  const text = single(query, name);
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  throw badRequest(`'${name}' must be a whole number from 0 on, not '${text.slice(0, 80)}'.`);
}

/** @throws Problem 400 it is there several times: which one is meant cannot be known */
export function single(query: URLSearchParams, name: string): string | null {
  const [value = null, ...more] = query.getAll(name);
  if (more.length === 0) return value;
  throw badRequest(`'${name}' is in the query ${more.length + 1} times. Say it once.`);
}
