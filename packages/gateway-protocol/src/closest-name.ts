import { distance } from "fastest-levenshtein";

/** Longer names are not compared: they may come from a caller, and comparing costs their product. */
const longestCompared = 256;

/**
 * The candidates that were probably meant by a name, the likeliest first: those that differ from it
 * in about a third of their letters or contain it. Case and separators do not count.
 */
export function closestNames(
  name: string,
  candidates: Iterable<string>,
  limit: number = 3,
): string[] {
  if (name.length > longestCompared) return [];
  const wanted = plain(name);
  const found: { candidate: string; edits: number }[] = [];
  for (const candidate of candidates) {
    if (candidate.length > longestCompared) continue;
    const other = plain(candidate);
    const edits = distance(wanted, other);
    const contained =
      Math.min(wanted.length, other.length) >= 4 &&
      (wanted.includes(other) || other.includes(wanted));
    if (contained || edits <= Math.max(wanted.length, other.length) / 3) {
      found.push({ candidate, edits });
    }
  }
  found.sort((a, b) => a.edits - b.edits);
  return found.slice(0, limit).map(({ candidate }) => candidate);
}

const plain = (name: string): string => name.toLowerCase().replace(/[-_.:/\s]/g, "");
