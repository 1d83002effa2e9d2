import { isDeepStrictEqual } from "node:util";
import { everyPosition, type MemberPath, parseMemberPath } from "@proj/gateway-protocol";
import { isJsonObject } from "@proj/model-apis/json";

export interface Comparison {
  /** Where the request differs from the record, in words; null if they mean the same. */
  readonly difference: string | null;
  /** Members that differ and are ignored. */
  readonly ignored: readonly string[];
}

/** @param ignore members that may differ, as `parseMemberPath` reads them */
export function compareRequest(
  recorded: unknown,
  sent: unknown,
  ignore: readonly string[],
): Comparison {
  try {
    return compare(recorded, sent, ignore);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { difference: "and is nested too deeply to be compared", ignored: [] };
  }
}

function compare(recorded: unknown, sent: unknown, ignore: readonly string[]): Comparison {
  const ignored = ignore.flatMap((member) => {
    const path = parseMemberPath(member);
    if (path === null || isDeepStrictEqual(valuesAt(recorded, path), valuesAt(sent, path)))
      return [];
    return [{ member, path }];
  });
  const rest = (value: unknown): unknown =>
    ignored.reduce((left, { path }) => without(left, path), value);
  const difference = differenceOf(rest(recorded), rest(sent));
  return { difference, ignored: ignored.map(({ member }) => member) };
}

const maxShown = 60;
/** How much of two texts' common beginning is shown, in characters. */
const shownBefore = 20;

/** Describes the first place where two parsed JSON values differ; null if they mean the same. */
function differenceOf(recorded: unknown, sent: unknown, path = ""): string | null {
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

/** A parsed JSON value without a member. In a list, null takes its place, so that the rest keeps its position. */
function without(value: unknown, [step, ...rest]: MemberPath): unknown {
  if (step === undefined) return null;
  if (Array.isArray(value))
    return value.map((each, at) => (isMeant(step, at) ? without(each, rest) : each));
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return value;
  if (rest.length > 0) return { ...value, [step]: without(value[step], rest) };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== step));
}

/** The values that a parsed JSON value has at a path: several if the path names every position of a list. */
function valuesAt(value: unknown, [step, ...rest]: MemberPath): readonly unknown[] {
  if (step === undefined) return [value];
  if (Array.isArray(value))
    return value.filter((_, at) => isMeant(step, at)).flatMap((each) => valuesAt(each, rest));
  return isJsonObject(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
}

const isMeant = (step: string | number, at: number): boolean =>
  step === at || step === everyPosition;
