import { Environment } from "@huggingface/jinja";

/** A value of a template, as the interpreter has it: `type` names its class. */
export type Value = ReturnType<Environment["lookupVariable"]>;
export type TemplateFunction = (args: readonly Value[], scope: Environment) => Value;

// The interpreter does not export its classes.
const examples = new Environment();
type Make<Own> = (own: Own) => Value;
const likeOf =
  <Own>(example: Value): Make<Own> =>
  (own) =>
    Reflect.construct(example.constructor, [own]);

export const textValue: Make<string> = likeOf(examples.set("text", ""));
export const flagValue: Make<boolean> = likeOf(examples.set("flag", true));
export const wholeValue: Make<number> = likeOf(examples.set("whole", 1));
export const listValue: Make<readonly Value[]> = likeOf(examples.set("list", []));
export const functionValue: Make<TemplateFunction> = likeOf(examples.lookupVariable("namespace"));
export const none: Value = examples.set("none", null);
export const nothing: Value = examples.set("nothing", undefined);

export const toValue = (given: unknown): Value => new Environment().set("given", given);

export const isText = (value: Value): boolean => value.type === "StringValue";
export const isNothing = (value: Value): boolean => value.type === "UndefinedValue";
export const isNone = (value: Value): boolean => value.type === "NullValue";
export const isTrue = (value: Value): boolean => value.__bool__().value;
export const listOf = ({ value }: Value): readonly Value[] | null =>
  Array.isArray(value) ? value : null;
export const mapOf = ({ value }: Value): ReadonlyMap<unknown, Value> | null =>
  value instanceof Map ? value : null;

/** Python's `str()`, which templates print and join values with. */
export const textOf = (value: Value): string => {
  if (isNothing(value)) return "";
  return isText(value) ? String(value.value) : reprOf(value);
};

function reprOf(value: Value): string {
  const own: unknown = value.value;
  const list = listOf(value);
  const map = mapOf(value);
  if (list !== null) {
    const items = list.map(reprOf).join(", ");
    if (value.type !== "TupleValue") return `[${items}]`;
    return list.length === 1 ? `(${items},)` : `(${items})`;
  }
  if (map !== null) {
    const entries = Array.from(map, ([key, each]) => `${reprOf(toValue(key))}: ${reprOf(each)}`);
    return `{${entries.join(", ")}}`;
  }
  if (typeof own === "string") return quoted(own);
  if (typeof own === "boolean") return own ? "True" : "False";
  return isNone(value) ? "None" : value.toString();
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replace(/\p{Cc}|[\p{Z}\p{Cf}\p{Co}\p{Cs}](?<! )/gu, (one) => escapes[one] ?? escaped(one));
  return quote + inner + quote;
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  if (code.length <= 2) return `\\x${code.padStart(2, "0")}`;
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
}

/** Python's `==`: by value, where nothing equals a value of another type but for numbers. */
export function areEqual(one: Value, other: Value): boolean {
  const [list, map] = [listOf(one), mapOf(one)];
  if (list !== null) {
    const others = one.type === other.type ? listOf(other) : null;
    if (others?.length !== list.length) return false;
    return list.every((each, at) => areEqual(each, others[at] ?? nothing));
  }
  if (map !== null) {
    const others = mapOf(other);
    if (others?.size !== map.size) return false;
    return Array.from(map).every(([key, each]) => areEqual(each, others.get(key) ?? nothing));
  }
  const [number, another] = [numberOf(one), numberOf(other)];
  if (number !== null || another !== null) return number === another;
  return one.type === other.type && one.value === other.value;
}

const numberOf = ({ value }: Value): number | null =>
  typeof value === "number" || typeof value === "boolean" ? Number(value) : null;

/** Python's `in`. @throws Error the container has no elements */
export function isIn(one: Value, container: Value): boolean {
  if (isNothing(container)) return false;
  const elements = listOf(container);
  if (elements !== null) return elements.some((each) => areEqual(each, one));
  const map = mapOf(container);
  if (map !== null) return map.has(one.value);
  if (isText(container) && isText(one)) return textOf(container).includes(textOf(one));
  throw new Error(`'in' cannot look for ${one.type} in ${container.type}`);
}

/** What a loop goes over. @throws Error it has no elements */
export function elementsOf(value: Value): readonly Value[] {
  const list = listOf(value);
  if (list !== null) return list;
  const map = mapOf(value);
  if (map !== null) return Array.from(map.keys(), toValue);
  if (isNothing(value)) return [];
  if (isText(value)) return Array.from(textOf(value), textValue);
  throw new Error(`${value.type} is not iterable`);
}
