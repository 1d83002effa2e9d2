import { isDeepStrictEqual } from "node:util";
import { parseMemberPath } from "@proj/gateway-protocol";
import { differenceOf } from "./difference.ts";
import { valuesAt, without } from "./ignored-members.ts";

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
