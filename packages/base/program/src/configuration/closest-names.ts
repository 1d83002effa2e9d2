import { distance } from "fastest-levenshtein";

/** Longer names are not compared: callers may send them, and the cost is the product of the lengths. */
const maxCompared = 256;

/**
 * The candidates that a name probably meant, most likely first: those that contain it, or differ from it in about a
 * third of their letters. Case and separators are ignored; two swapped neighbours count as one letter.
 */
export function closestNames(
  name: string,
  candidates: Iterable<string>,
  limit: number = 3,
): string[] {
  if (name.length > maxCompared) return [];
  const wanted = plain(name);
  const found: { candidate: string; edits: number }[] = [];
  for (const candidate of candidates) {
    if (candidate.length > maxCompared) continue;
    const other = plain(candidate);
    const edits = isSwapped(wanted, other) ? 1 : distance(wanted, other);
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

/** Whether two names differ only in two neighbouring letters that are swapped. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
