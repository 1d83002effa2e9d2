import { everyPosition, type MemberPath } from "@proj/gateway-protocol";
import { isJsonObject } from "@proj/model-apis/json";

/** A parsed JSON value without a member. In a list, null takes its place, so that the rest keeps its position. */
export function without(value: unknown, [step, ...rest]: MemberPath): unknown {
  if (step === undefined) return null;
  if (Array.isArray(value))
    return value.map((each, at) => (isMeant(step, at) ? without(each, rest) : each));
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return value;
  if (rest.length > 0) return { ...value, [step]: without(value[step], rest) };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== step));
}

/** The values that a parsed JSON value has at a path: several if the path names every position of a list. */
export function valuesAt(value: unknown, [step, ...rest]: MemberPath): readonly unknown[] {
  if (step === undefined) return [value];
  if (Array.isArray(value))
    return value.filter((_, at) => isMeant(step, at)).flatMap((each) => valuesAt(each, rest));
  return isJsonObject(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
}

const isMeant = (step: string | number, at: number): boolean =>
  step === at || step === everyPosition;
