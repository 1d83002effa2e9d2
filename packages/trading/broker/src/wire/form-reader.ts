import { decodeForm, parseFormBoolean, parseFormNumber } from "@proj/trading-client/wire";
import { RefusalError, refuse } from "../engine/refusal.ts";

/** Other names that existing bots use, sometimes along with the interface's names; then one of the two is 0. */
const aliases: Readonly<Record<string, string>> = {
  trailing_stop_step: "trailing_step",
  trailing_stop_step2: "trailing_step2",
  from: "From",
  to: "To",
};

/** Reads the fields of a request. Its methods throw RefusalError. Empty values count as absent. */
export class FormReader {
  readonly #fields: ReadonlyMap<string, readonly string[]>;

  constructor(body: string) {
    this.#fields = decodeForm(body);
  }

  /** A list is a repeated key; jQuery, axios and qs write `name[]`, and PHP `name[0]`, `name[1]` and so on. */
  list(name: string): readonly string[] {
    const named = [...(this.#fields.get(name) ?? []), ...(this.#fields.get(`${name}[]`) ?? [])];
    const numbered: string[] = [];
    for (let index = 0, values = this.#at(name, 0); values !== undefined; ) {
      numbered.push(...values);
      index += 1;
      values = this.#at(name, index);
    }
    return [...named, ...numbered].filter((value) => value !== "");
  }

  #at(name: string, index: number): readonly string[] | undefined {
    return this.#fields.get(`${name}[${index}]`);
  }

  requiredList(name: string): readonly string[] {
    const values = this.list(name);
    if (values.length === 0) throw new RefusalError(refuse.missingField(name));
    return values;
  }

  optionalText(name: string): string | undefined {
    const value = this.list(name)[0];
    const alias = aliases[name];
    const other = alias === undefined ? undefined : this.list(alias)[0];
    if (other === undefined) return value;
    if (value === undefined || isZero(value)) return other;
    if (isZero(other) || Number(other) === Number(value)) return value;
    const expected = `must not differ from ${alias}, which is ${other}, but is`;
    throw new RefusalError(refuse.invalidField(name, value, expected));
  }

  text(name: string): string {
    const value = this.optionalText(name);
    if (value === undefined) throw new RefusalError(refuse.missingField(name));
    return value;
  }

  /** One of a list of values. */
  member<Value extends string>(name: string, values: readonly Value[]): Value {
    const text = this.text(name);
    const value = values.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    const expected = `must be one of ${values.join(", ")}, but is`;
    throw new RefusalError(refuse.invalidField(name, text, expected));
  }

  number(name: string): number {
    const text = this.text(name);
    const value = parseFormNumber(text);
    if (value !== undefined) return value;
    throw new RefusalError(refuse.invalidField(name, text, "must be a number, but is"));
  }

  boolean(name: string): boolean {
    const text = this.text(name);
    const value = parseFormBoolean(text);
    if (value !== undefined) return value;
    throw new RefusalError(refuse.invalidField(name, text, "must be true or false, but is"));
  }

  /** The given fields that are present. */
  optionalTexts<Name extends string>(...names: readonly Name[]): Partial<Record<Name, string>> {
    return this.#present(names, (name) => this.text(name));
  }

  optionalNumbers<Name extends string>(...names: readonly Name[]): Partial<Record<Name, number>> {
    return this.#present(names, (name) => this.number(name));
  }

  optionalBooleans<Name extends string>(...names: readonly Name[]): Partial<Record<Name, boolean>> {
    return this.#present(names, (name) => this.boolean(name));
  }

  /** One of a list of values, by default the first. */
  memberOr<Value extends string>(
    name: string,
    values: readonly [Value, ...(readonly Value[])],
  ): Value {
    return this.optionalText(name) === undefined ? values[0] : this.member(name, values);
  }

  #present<Name extends string, Value>(
    names: readonly Name[],
    read: (name: Name) => Value,
  ): Partial<Record<Name, Value>> {
    const values: Partial<Record<Name, Value>> = {};
    for (const name of names) {
      if (this.optionalText(name) !== undefined) values[name] = read(name);
    }
    return values;
  }
}

const isZero = (text: string): boolean => Number(text) === 0;
