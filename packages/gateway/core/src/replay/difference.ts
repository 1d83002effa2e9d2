import { isDeepStrictEqual } from "node:util";
import { isJsonObject } from "@proj/model-apis/json";

const maxShown = 60;
/** How much of two texts' common beginning is shown, in characters. */
const shownBefore = 20;

/** Describes the first place where two parsed JSON values differ; null if they mean the same. */
export function differenceOf(recorded: unknown, sent: unknown, path = ""): string | null {
  if (isDeepStrictEqual(recorded, sent)) return null;
  if (Array.isArray(recorded) && Array.isArray(sent)) {
    for (let at = 0; at < Math.min(recorded.length, sent.length); at += 1) {
      const difference = differenceOf(recorded[at], sent[at], `${path}[${at}]`);
      if (difference !== null) return difference;
    }
    return `at ${path}: the record has ${recorded.length} elements, the request ${sent.length}`;
  }
  if (isJsonObject(recorded) && isJsonObject(sent)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(sent)])) {
      const member = path === "" ? key : `${path}.${key}`;
      if (!Object.hasOwn(sent, key)) return `at ${member}: only the record has it`;
      if (!Object.hasOwn(recorded, key)) return `at ${member}: only the request has it`;
      const difference = differenceOf(recorded[key], sent[key], member);
      if (difference !== null) return difference;
    }
  }
  const from = partingOf(recorded, sent);
  return `at ${path}: the record has ${show(recorded, from)}, the request ${show(sent, from)}`;
}

/** A little before the place where two texts differ. */
function partingOf(one: unknown, other: unknown): number {
  if (typeof one !== "string" || typeof other !== "string") return 0;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return Math.max(0, at - shownBefore);
}

function show(value: unknown, from: number): string {
  const text =
    typeof value === "string"
      ? JSON.stringify((from > 0 ? "…" : "") + value.slice(from, from + maxShown + 1))
      : JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
