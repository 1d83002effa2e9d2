import {
  isNone,
  listValue,
  mapOf,
  none,
  nothing,
  textOf,
  textValue,
  toValue,
  type Value,
} from "./python-values.ts";

/** Arguments by name. */
export type Named = ReadonlyMap<unknown, Value>;
/** @param given arguments by position, then by name */
export type Method = (own: Value, given: readonly Value[], named: Named) => Value;

export const stripped =
  (sides: "both" | "left" | "right"): Method =>
  (own, [characters]) => {
    const given = characters === undefined || isNone(characters) ? null : textOf(characters);
    return textValue(strip(textOf(own), given, sides));
  };

export const capitalized: Method = (own) => {
  const [first = "", ...rest] = textOf(own);
  return textValue(first.toUpperCase() + rest.join("").toLowerCase());
};

/** Methods of texts, where the interpreter lacks them or differs from Python. */
export const textMethods: Readonly<Record<string, Method>> = {
  strip: stripped("both"),
  lstrip: stripped("left"),
  rstrip: stripped("right"),
  format: (own, given, named) => {
    let next = 0;
    const put = (place: string): string => {
      const name = place.slice(1, -1);
      if (place.length === 2 && place !== "{}") return place.charAt(0);
      const value = /^\d*$/.test(name)
        ? given[name === "" ? next++ : Number(name)]
        : named.get(name);
      if (value === undefined) throw new Error(`nothing to put into '${place}'`);
      return textOf(value);
    };
    return textValue(textOf(own).replace(/\{\{|\}\}|\{\w*\}/g, put));
  },
  capitalize: capitalized,
};

export const entriesOf = (own: Value): readonly Value[] =>
  Array.from(mapOf(own) ?? [], ([key, each]) => listValue([toValue(key), each]));

/** Methods of objects, which Jinja finds before members of the same name. */
export const objectMethods: Readonly<Record<string, Method>> = {
  get: (own, [key = nothing, otherwise = none]) => mapOf(own)?.get(key.value) ?? otherwise,
  items: (own) => listValue(entriesOf(own)),
};

/** What Python strips by default: JavaScript knows neither all of it nor is a byte order mark part of it. */
const spaces =
  "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const atStart = new RegExp(`^[${spaces}]+`, "u");
const atEnd = new RegExp(`(?<![${spaces}])[${spaces}]+$`, "u");

/** @param characters null: white space */
function strip(text: string, characters: string | null, sides: "both" | "left" | "right") {
  if (characters === null) {
    const left = sides === "right" ? text : text.replace(atStart, "");
    return sides === "left" ? left : left.replace(atEnd, "");
  }
  const all = [...text];
  let [start, end] = [0, all.length];
  const isStripped = (at: number): boolean => characters.includes(all[at] ?? "");
  while (sides !== "right" && start < end && isStripped(start)) start += 1;
  while (sides !== "left" && end > start && isStripped(end - 1)) end -= 1;
  return all.slice(start, end).join("");
}
