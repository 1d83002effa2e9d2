import { seededRandom } from "../statistics.ts";
import { addressOf } from "./generate-events.ts";

export const PAGE_SIZE = 100;

/** Paths for a user and a page of 100, both anywhere in the ranking; the same paths in every run. */
export function pagePaths(count: number, addresses: number): readonly string[] {
  const random = seededRandom(count);
  const below = (end: number): number => Math.floor(random() * end);
  return Array.from({ length: count }, () => {
    const user = addressOf(below(addresses));
    return `/api/main/total/${user}?offset=${below(addresses - PAGE_SIZE)}&size=${PAGE_SIZE}`;
  });
}
