import { type NumberForm, requireNumeric } from "../numbers/numeric-string.ts";

/** Reads an answer member by member. Its errors name the place, such as `leaderboard[3].points`. */
export class MemberReader {
  readonly numbers: NumberForm;
  readonly #path: string;
  readonly #members: Readonly<Record<string, unknown>>;

  /** @throws TypeError the value is not an object */
  constructor(value: unknown, numbers: NumberForm, path: string = "") {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new TypeError(`${path || "the answer"} is not an object`);
    this.numbers = numbers;
    this.#path = path;
    this.#members = { ...value };
  }

  has(name: string): boolean {
    return (this.#members[name] ?? null) !== null;
  }

  /** Whether the member is null, not absent. */
  isNull(name: string): boolean {
    return this.#members[name] === null;
  }

  text(name: string): string {
    const value = this.#members[name];
    return typeof value === "string" ? value : this.#refuse(name, "not a string");
  }

  /** A numeric string in the service's form. */
  numeric(name: string): string {
    return this.#numeric(name, this.numbers);
  }

  /** A decimal integer, even if the service's numeric strings are hexadecimal. */
  decimal(name: string): string {
    return this.#numeric(name, "decimal");
  }

  number(name: string): number {
    const value = this.#members[name];
    return typeof value === "number" ? value : this.#refuse(name, "not a number");
  }

  integer(name: string): number {
    const value = this.number(name);
    return Number.isSafeInteger(value) ? value : this.#refuse(name, "not a whole number");
  }

  flag(name: string): boolean {
    const value = this.#members[name];
    return typeof value === "boolean" ? value : this.#refuse(name, "neither true nor false");
  }

  object(name: string): MemberReader {
    return new MemberReader(this.#members[name], this.numbers, this.#pathOf(name));
  }

  list<T>(name: string, read: (entry: MemberReader) => T): T[] {
    return readList(this.#members[name], this.numbers, this.#pathOf(name), read);
  }

  /** The members of a map, whose names are data; the result has no prototype. */
  map<T>(read: (entry: MemberReader) => T): Record<string, T> {
    const values: Record<string, T> = Object.create(null);
    for (const name of Object.keys(this.#members)) values[name] = read(this.object(name));
    return values;
  }

  #numeric(name: string, form: NumberForm): string {
    const text = this.text(name);
    try {
      requireNumeric(text, form);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new TypeError(`${this.#pathOf(name)}: ${why} (see the option 'numbers')`, {
        cause: error,
      });
    }
    return text;
  }

  #pathOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}.${name}`;
  }

  #refuse(name: string, what: string): never {
    const given = JSON.stringify(this.#members[name]) ?? "missing";
    throw new TypeError(`${this.#pathOf(name)} is ${what}: ${given.slice(0, 80)}`);
  }
}

/** @throws TypeError the value is not a list, or an entry does not have the expected form */
export function readList<T>(
  value: unknown,
  numbers: NumberForm,
  path: string,
  read: (entry: MemberReader) => T,
): T[] {
  if (!Array.isArray(value)) throw new TypeError(`${path || "the answer"} is not a list`);
  return value.map((entry, index) => read(new MemberReader(entry, numbers, `${path}[${index}]`)));
}
