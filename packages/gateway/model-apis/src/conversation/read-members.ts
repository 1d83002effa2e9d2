import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import type { Sampling } from "./conversation.ts";
import type { Utterance } from "./utterance.ts";

/** Gathers the names of what cannot be expressed, each once. */
export class Unsupported {
  readonly #names = new Set<string>();
  readonly #malformed = new Set<string>();

  get names(): readonly string[] {
    return [...this.#names];
  }

  get malformed(): readonly string[] {
    return [...this.#malformed];
  }

  add(name: string): void {
    this.#names.add(name);
  }

  /** Adds a member whose value the API does not have, or a conversation cannot say in part. */
  addMalformed(name: string): void {
    this.add(name);
    this.#malformed.add(name);
  }

  /** Adds the members of an object that are not known and say something. */
  members(value: unknown, known: readonly string[], prefix = ""): void {
    if (!isJsonObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (!known.includes(name) && saysSomething(member)) this.add(prefix + name);
    }
  }

  /**
   * Adds the parts of a list that are not objects of a known type, and their unknown members.
   * @param known by type, the members that a part of it may have beside its type
   */
  parts(content: unknown, known: Readonly<Record<string, readonly string[]>>, path: string): void {
    if (!Array.isArray(content)) {
      if (typeof content !== "string" && saysSomething(content)) this.addMalformed(path);
      return;
    }
    for (const part of content) {
      if (typeof part === "string") continue;
      const type = isJsonObject(part) ? String(part.type) : "unknown";
      const members = Object.hasOwn(known, type) ? known[type] : undefined;
      if (members === undefined) this.add(`${path}[].${type}`);
      else this.members(part, ["type", ...members], `${path}[].`);
    }
  }

  /** The value if it is of the type; otherwise null, and the name is added if the value says something. */
  #typed<Type>(value: unknown, isType: (value: unknown) => value is Type, name: string) {
    if (isType(value)) return value;
    if (saysSomething(value)) this.addMalformed(name);
    return null;
  }

  text(body: JsonObject, name: string, prefix = ""): string | null {
    return this.#typed(body[name], (value) => typeof value === "string", prefix + name);
  }

  number(body: JsonObject, name: string, prefix = ""): number | null {
    return this.#typed(body[name], (value) => typeof value === "number", prefix + name);
  }

  flag(body: JsonObject, name: string, prefix = ""): boolean | null {
    return this.#typed(body[name], (value) => typeof value === "boolean", prefix + name);
  }

  object(body: JsonObject, name: string, prefix = ""): JsonObject | null {
    return this.#typed(body[name], isJsonObject, prefix + name);
  }

  /** The objects of a list; anything else in it is named. */
  objects(body: JsonObject, name: string): readonly JsonObject[] {
    const list = this.#typed(body[name], (value) => Array.isArray(value), name) ?? [];
    if (!list.every(isJsonObject)) this.addMalformed(name);
    return list.filter(isJsonObject);
  }

  /** A text or a list of texts. */
  texts(body: JsonObject, name: string, prefix = ""): readonly string[] {
    const value = body[name] ?? [];
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!list.every((one) => typeof one === "string")) this.addMalformed(prefix + name);
    return list.filter((one) => typeof one === "string");
  }

  /** @param names the API's name of each parameter that it has, `top_logprobs` aside */
  sampling(body: JsonObject, names: SamplingNames, prefix = ""): Sampling {
    const found = Object.entries(names).map(([name, api]) => [
      name,
      this.number(body, api, prefix),
    ]);
    return { ...noSampling, ...Object.fromEntries(found) };
  }
}

export type SamplingNames = { readonly [Name in keyof Sampling]?: string };

export const noSampling: Sampling = {
  temperature: null,
  top_p: null,
  top_k: null,
  min_p: null,
  repetition_penalty: null,
  frequency_penalty: null,
  presence_penalty: null,
  seed: null,
  max_tokens: null,
  n: null,
  top_logprobs: null,
};

/** The parameters under the API's names; those that it does not have are added to the unsupported. */
export function writeSampling(
  { top_logprobs: _apart, ...sampling }: Sampling,
  names: SamplingNames,
  unsupported: Unsupported,
): JsonObject {
  const written: JsonObject = {};
  for (const [name, value] of Object.entries(sampling)) {
    const api = names[name as keyof Sampling];
    if (value === null) continue;
    if (api !== undefined) written[api] = value;
    // One answer is what every API gives.
    else if (name !== "n" || value !== 1) unsupported.add(name);
  }
  return written;
}

/** Neighbouring messages of the assistant are one turn, as in APIs whose answers are lists of items. */
export function joinTurns(messages: readonly Utterance[]): Utterance[] {
  const joined: Utterance[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role !== "assistant" || last?.role !== "assistant") joined.push(message);
    else joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
  }
  return joined;
}

const saysSomething = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
