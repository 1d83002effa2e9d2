import { entriesOf, type Method, stripped, textMethods } from "./python-methods.ts";
import {
  areEqual,
  elementsOf,
  isIn,
  isNone,
  isNothing,
  isText,
  isTrue,
  listOf,
  listValue,
  mapOf,
  nothing,
  textOf,
  textValue,
  type Value,
  wholeValue,
} from "./python-values.ts";

const extreme =
  (isBetter: (one: Value, other: Value) => boolean): Method =>
  (own) =>
    elementsOf(own).reduce((one, other) => (isBetter(other, one) ? other : one), nothing);
const isLess = (one: Value, other: Value): boolean =>
  isNothing(other) || Number(one.value) < Number(other.value);

const attributeOf = (value: Value, path: Value): Value =>
  textOf(path)
    .split(".")
    .reduce((own, name) => mapOf(own)?.get(name) ?? listOf(own)?.[Number(name)] ?? nothing, value);

const tests: Readonly<Record<string, (one: Value, other: Value) => boolean>> = {
  equalto: areEqual,
  eq: areEqual,
  "==": areEqual,
  ne: (one, other) => !areEqual(one, other),
  "!=": (one, other) => !areEqual(one, other),
  in: isIn,
  defined: (one) => !isNothing(one),
  undefined: isNothing,
  none: isNone,
  string: isText,
  mapping: ({ type }) => type === "ObjectValue",
  true: ({ value }) => value === true,
  false: ({ value }) => value === false,
};

/** Jinja does not look for the elements of what is false, which may have none. */
const elementsOrNone = (own: Value): readonly Value[] => (isTrue(own) ? elementsOf(own) : []);

const selecting =
  (byAttribute: boolean, isKept: boolean): Method =>
  (own, given) => {
    const [attribute, [name, other = nothing]] = byAttribute
      ? [given[0] ?? nothing, given.slice(1)]
      : [null, given];
    const test = name === undefined ? isTrue : tests[textOf(name)];
    if (test === undefined) throw new Error(`no test '${textOf(name ?? nothing)}'`);
    const all = elementsOrNone(own);
    const seen = attribute === null ? all : all.map((each) => attributeOf(each, attribute));
    return listValue(all.filter((_, at) => test(seen[at] ?? nothing, other) === isKept));
  };

const join: Method = (own, given, named) => {
  const separator = given[0] ?? named.get("d") ?? named.get("separator") ?? textValue("");
  const attribute = given[1] ?? named.get("attribute");
  const parts = elementsOf(own).map((each) =>
    textOf(attribute === undefined ? each : attributeOf(each, attribute)),
  );
  return textValue(parts.join(textOf(separator)));
};

const map: Method = (own, [name, ...given], named) => {
  const attribute = named.get("attribute");
  const elements = elementsOrNone(own);
  if (attribute !== undefined)
    return listValue(
      elements.map((each) => {
        const found = attributeOf(each, attribute);
        return isNothing(found) ? (named.get("default") ?? found) : found;
      }),
    );
  const filter = name === undefined ? undefined : filters[textOf(name)];
  if (filter === undefined) throw new Error(`no filter '${textOf(name ?? nothing)}' to map with`);
  return listValue(elements.map((each) => filter(each, given, named)));
};

const dictsort: Method = (own, [isCaseSensitive, by, isReversed], named) => {
  const at = textOf(by ?? named.get("by") ?? textValue("key")) === "value" ? 1 : 0;
  const isExact = isTrue(isCaseSensitive ?? named.get("case_sensitive") ?? nothing);
  const sign = isTrue(isReversed ?? named.get("reverse") ?? nothing) ? -1 : 1;
  const rankOf = (entry: Value): number | string => {
    const value = listOf(entry)?.[at] ?? nothing;
    const rank = typeof value.value === "number" ? value.value : textOf(value);
    return typeof rank === "number" || isExact ? rank : rank.toLowerCase();
  };
  const compare = (one: Value, other: Value): number => {
    const [left, right] = [rankOf(one), rankOf(other)];
    return left === right ? 0 : left < right ? -sign : sign;
  };
  return listValue(entriesOf(own).toSorted(compare));
};

/** Filters that the interpreter lacks, or that it has for some types of values alone. */
export const filters: Readonly<Record<string, Method>> = {
  string: (own) => textValue(textOf(own)),
  trim: stripped("both"),
  upper: (own) => textValue(textOf(own).toUpperCase()),
  lower: (own) => textValue(textOf(own).toLowerCase()),
  capitalize: (own, given, named) => textMethods.capitalize?.(own, given, named) ?? nothing,
  length: (own) => wholeValue(mapOf(own)?.size ?? elementsOf(own).length),
  count: (own) => wholeValue(mapOf(own)?.size ?? elementsOf(own).length),
  list: (own) => listValue(elementsOf(own)),
  first: (own) => elementsOf(own)[0] ?? nothing,
  last: (own) => elementsOf(own).at(-1) ?? nothing,
  min: extreme(isLess),
  max: extreme((one, other) => isNothing(other) || isLess(other, one)),
  sum: (own) => wholeValue(elementsOf(own).reduce((sum, { value }) => sum + Number(value), 0)),
  items: (own) => listValue(entriesOf(own)),
  dictsort,
  select: selecting(false, true),
  reject: selecting(false, false),
  selectattr: selecting(true, true),
  rejectattr: selecting(true, false),
  join,
  map,
};
