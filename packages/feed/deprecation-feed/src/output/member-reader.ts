import { isCalendarDay } from "../notice/calendar-day.ts";
import { isJsonObject, isTextList, type JsonObject } from "../notice/json-object.ts";
import type { CalendarDay } from "../notice/notice.ts";
import { StateError } from "./state-error.ts";

/** Reads the members of an object in a file written by this program; each method throws a StateError for a wrong type. */
export class MemberReader {
  readonly #object: JsonObject;
  readonly #source: string;

  constructor(value: unknown, source: string) {
    if (!isJsonObject(value)) throw new StateError(`${source} is not an object`);
    this.#object = value;
    this.#source = source;
  }

  /** False for a file from a version that did not have this member. */
  has(name: string): boolean {
    return Object.hasOwn(this.#object, name);
  }

  text(name: string): string {
    const value = this.#object[name];
    return typeof value === "string" ? value : this.#refuse(name, "text");
  }

  textOrNull(name: string): string | null {
    return this.#object[name] === null ? null : this.text(name);
  }

  texts(name: string): readonly string[] {
    const value = this.#object[name];
    return isTextList(value) ? value : this.#refuse(name, "a list of strings");
  }

  /** `YYYY-MM-DD` or empty. */
  day(name: string): CalendarDay {
    const text = this.text(name);
    return text === "" || isCalendarDay(text) ? text : this.#refuse(name, "a day");
  }

  /** As written by `Date.toISOString`. */
  time(name: string): string {
    const text = this.text(name);
    const time = new Date(text);
    const isWritten = !Number.isNaN(time.getTime()) && time.toISOString() === text;
    return isWritten ? text : this.#refuse(name, "a time in ISO 8601");
  }

  timeOrEmpty(name: string): string {
    return this.text(name) === "" ? "" : this.time(name);
  }

  count(name: string): number {
    const value = this.#object[name];
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
    return this.#refuse(name, "a count");
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[]): T {
    const text = this.text(name);
    return allowed.find((entry) => entry === text) ?? this.#refuse(name, allowed.join(" or "));
  }

  list(name: string): readonly MemberReader[] {
    const value = this.#object[name];
    if (!Array.isArray(value)) return this.#refuse(name, "a list");
    return value.map(
      (entry, index) => new MemberReader(entry, `${this.#source}: ${name}[${index}]`),
    );
  }

  #refuse(name: string, expected: string): never {
    throw new StateError(`${this.#source}: ${name} is not ${expected}`);
  }
}
