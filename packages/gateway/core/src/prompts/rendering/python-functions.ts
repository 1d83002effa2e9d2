import type { Environment } from "@huggingface/jinja";
import { filters } from "./python-filters.ts";
import { type Method, type Named, objectMethods, textMethods } from "./python-methods.ts";
import {
  areEqual,
  elementsOf,
  flagValue,
  isIn,
  isNothing,
  isText,
  listOf,
  listValue,
  mapOf,
  none,
  nothing,
  type TemplateFunction,
  textOf,
  textValue,
  toValue,
  type Value,
} from "./python-values.ts";

/** Named arguments come last, as an object. */
export function argumentsOf(args: readonly Value[]): readonly [readonly Value[], Named] {
  const last = args.at(-1);
  if (last?.type !== "KeywordArgumentsValue") return [args, new Map()];
  return [args.slice(0, -1), mapOf(last) ?? new Map()];
}

const filter =
  (method: Method): TemplateFunction =>
  ([own = nothing, ...args]) =>
    method(own, ...argumentsOf(args));

/** Calls a method of a value that a template names. */
const callMethod: TemplateFunction = ([own = nothing, name = nothing, ...args], scope) => {
  const called = textOf(name);
  const methods = isText(own) ? textMethods : own.type === "ObjectValue" ? objectMethods : {};
  const method = methods[called];
  if (method !== undefined) return method(own, ...argumentsOf(args));
  const call: unknown = (mapOf(own)?.get(called) ?? own.builtins.get(called))?.value;
  if (typeof call !== "function") throw new Error(`${own.type} has no method '${called}'`);
  return call(args, scope);
};

/** An element by its key, which may be a number. */
const itemOf: TemplateFunction = ([own = nothing, key = nothing]) => {
  if (isText(own)) return textValue(Array.from(textOf(own)).at(Number(key.value)) ?? "");
  return listOf(own)?.at(Number(key.value)) ?? mapOf(own)?.get(key.value) ?? nothing;
};

const objectWith: TemplateFunction = (keysAndValues) => {
  const made = toValue({});
  const map = made.value as Map<unknown, Value>;
  for (let at = 0; at + 1 < keysAndValues.length; at += 2)
    map.set(keysAndValues[at]?.value, keysAndValues[at + 1] ?? nothing);
  return made;
};

/** Names that a loop's body sets are not those of its turn before. */
const forget: TemplateFunction = (names, scope: Environment) => {
  for (const name of names) scope.variables.delete(textOf(name));
  return none;
};

/** By the names that a rewritten template calls them by, which no template can name itself. */
export const functions: Readonly<Record<string, TemplateFunction>> = {
  ...Object.fromEntries(Object.entries(filters).map(([name, own]) => [`$${name}`, filter(own)])),
  "$.": callMethod,
  "$[]": itemOf,
  "${}": objectWith,
  $forget: forget,
  $in: ([one = nothing, other = nothing]) => flagValue(isIn(one, other)),
  "$==": ([one = nothing, other = nothing]) => flagValue(areEqual(one, other)),
  $for: ([own = nothing]) => (mapOf(own) === null ? listValue(elementsOf(own)) : own),
  $iterable: ([own = nothing]) =>
    flagValue(isText(own) || isNothing(own) || listOf(own) !== null || mapOf(own) !== null),
};
