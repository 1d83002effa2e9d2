import { capitalized, entriesOf, type Method, stripped } from "./python-methods.ts";
import {
  areEqual,
  elementsOf,
  isIn,
  isNothing,
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

const attributeOf = (value: Value, path: Value): Value =>
  textOf(path)
    .split(".")
    .reduce((own, name) => mapOf(own)?.get(name) ?? listOf(own)?.[Number(name)] ?? nothing, value);

const tests: Readonly<Record<string, (one: Value, other: Value) => boolean>> = {
  equalto: areEqual,
  in: isIn,
  defined: (one) => !isNothing(one),
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

const map: Method = (own, [name = nothing, ...given], named) => {
  const filter = filters[textOf(name)];
  if (filter === undefined) throw new Error(`no filter '${textOf(name)}' to map with`);
  return listValue(elementsOrNone(own).map((each) => filter(each, given, named)));
};

const dictsort: Method = (own, given, named) => {
  if (given.length + named.size > 0) throw new Error("dictsort takes no arguments here");
  const rankOf = (entry: Value): number | string => {
    const key = listOf(entry)?.[0] ?? nothing;
    return typeof key.value === "number" ? key.value : textOf(key).toLowerCase();
  };
  const compare = (one: Value, other: Value): number => {
    const [left, right] = [rankOf(one), rankOf(other)];
    return left === right ? 0 : left < right ? -1 : 1;
  };
  return listValue(entriesOf(own).toSorted(compare));
};

const smallest = (one: Value, other: Value): Value =>
  Number(other.value) < Number(one.value) ? other : one;

/** Filters that the interpreter lacks, or that it has for some types of values alone. */
export const filters: Readonly<Record<string, Method>> = {
  string: (own) => textValue(textOf(own)),
  trim: stripped("both"),
  upper: (own) => textValue(textOf(own).toUpperCase()),
  lower: (own) => textValue(textOf(own).toLowerCase()),
  capitalize: capitalized,
  length: (own) => wholeValue(mapOf(own)?.size ?? elementsOf(own).length),
  list: (own) => listValue(elementsOf(own)),
  min: (own) => elementsOf(own).reduce(smallest),
  items: (own) => listValue(entriesOf(own)),
  dictsort,
  select: selecting(false, true),
  reject: selecting(false, false),
  selectattr: selecting(true, true),
  rejectattr: selecting(true, false),
  join,
  map,
};
