import { writeJson } from "../json/exact-json.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { callId, callOf, hasIndex, noteCall, type OpenCall } from "./assembled-calls.ts";
import { AssembledContent, type PartKinds } from "./assembled-content.ts";
import {
  AssembledBase64,
  AssembledJson,
  AssembledList,
  AssembledName,
  AssembledText,
} from "./assembled-text.ts";
import { type Assembled, AssembledPieces, AssembledValue } from "./assembled-value.ts";
import type { AssemblyRule, ObjectRules } from "./assembly-rules.ts";
import type { CaptureBudget } from "./capture-budget.ts";

/** Rough overhead of a member or an entry beside its value. */
const overheadBytes = 64;

interface Member {
  readonly name: string;
  readonly value: Assembled;
}

/** An object assembled member by member. Nests only as deep as its rules, whatever arrives. */
export class AssembledObject extends AssembledPieces {
  readonly #rules: ObjectRules;
  readonly #members = new Map<string, Member>();

  constructor(rules: ObjectRules, budget: CaptureBudget) {
    super(budget);
    this.#rules = rules;
    for (const key of rules.always) this.#create(key);
  }

  protected override take(piece: unknown, eventBytes: number, replaces: boolean): boolean {
    if (!isJsonObject(piece)) return false;
    for (const key of Object.keys(piece)) {
      const member = this.#members.get(key) ?? this.#create(key);
      member?.value.add(piece[key], eventBytes, replaces);
    }
    return true;
  }

  protected override write(): string {
    let text = "{";
    for (const { name, value } of this.#members.values()) {
      text += `${text.length > 1 ? "," : ""}${name}:${value.json()}`;
    }
    return `${text}}`;
  }

  #create(key: string): Member | null {
    const rule = this.#rules.members.get(key) ?? this.#rules.otherwise;
    if (rule === "omitted" || !this.budget.grow(overheadBytes + key.length)) return null;
    const name = typeof rule === "object" && "object" in rule ? (rule.name ?? key) : key;
    const member = { name: writeJson(name), value: createAssembled(rule, this.budget) };
    this.#members.set(key, member);
    return member;
  }
}

interface Entry extends OpenCall {
  readonly position: number;
  readonly type: unknown;
  readonly object: AssembledObject;
}

type Told = "type" | "begin" | "calls" | null;

/** An array of objects that arrive in pieces, told apart by `index` or `id`. */
export class AssembledEntries extends AssembledPieces {
  readonly #rules: ObjectRules;
  readonly #told: Told;
  readonly #entries: Entry[] = [];
  /** The call of the last piece. */
  #latest: Entry | undefined;
  readonly #byKey = new Map<unknown, Entry>();

  constructor(rules: ObjectRules, told: Told, budget: CaptureBudget) {
    super(budget);
    this.#rules = rules;
    this.#told = told;
  }

  protected override take(piece: unknown, eventBytes: number, replaces: boolean): boolean {
    if (!Array.isArray(piece)) return false;
    for (const element of piece) {
      if (isJsonObject(element))
        this.#find(element, replaces)?.object.add(element, eventBytes, replaces);
    }
    return true;
  }

  protected override write(): string {
    const entries = this.#entries.toSorted((one, other) => one.position - other.position);
    return `[${entries.map((entry) => entry.object.json()).join(",")}]`;
  }

  #find(piece: JsonObject, isWhole: boolean): Entry | null {
    if (this.#told === "calls") return this.#findCall(piece);
    const { index, id, type } = piece;
    const found = this.#byKey.get(isKey(index) ? index : id);
    const begins =
      (this.#told === "begin" && isWhole) || (this.#told === "type" && differ(found?.type, type));
    if (found !== undefined && !begins) return found;
    const entry = this.#add(piece);
    if (entry !== null && isKey(index)) this.#byKey.set(index, entry);
    if (entry !== null && isKey(id)) this.#byKey.set(id, entry);
    return entry;
  }

  #findCall(piece: JsonObject): Entry | null {
    const id = callId(piece);
    const index = hasIndex(piece) ? piece.index : null;
    const key = `${index} ${id}`;
    const latest = index === null ? this.#latest : this.#byKey.get(index);
    const named = id === null ? undefined : this.#byKey.get(key);
    const entry = callOf({ named, latest }, piece) ?? this.#add(piece);
    if (entry === null) return null;
    noteCall(entry, piece);
    this.#latest = entry;
    if (index !== null) this.#byKey.set(index, entry);
    if (id !== null) this.#byKey.set(key, entry);
    return entry;
  }

  #add(piece: JsonObject): Entry | null {
    if (!this.budget.grow(overheadBytes)) return null;
    const { index, type } = piece;
    const position = typeof index === "number" ? index : this.#entries.length;
    const object = new AssembledObject(this.#rules, this.budget);
    const entry = { position, type, object, id: null, name: "", isClosed: false };
    this.#entries.push(entry);
    return entry;
  }
}

function isKey(value: unknown): value is number | string {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

function differ(one: unknown, other: unknown): boolean {
  return typeof one === "string" && typeof other === "string" && one !== other;
}

function createAssembled(rule: Exclude<AssemblyRule, "omitted">, budget: CaptureBudget): Assembled {
  switch (rule) {
    case "first":
    case "last":
    case "real":
      return new AssembledValue(budget, rule);
    case "name":
      return new AssembledName(budget);
    case "text":
      return new AssembledText(budget);
    case "list":
      return new AssembledList(budget);
    case "json":
      return new AssembledJson(budget);
    case "base64":
      return new AssembledBase64(budget);
    default:
      if ("object" in rule) return new AssembledObject(rule.object, budget);
      if ("content" in rule) return new AssembledContent(partsOf(rule.content, budget), budget);
      return new AssembledEntries(rule.entries, rule.told ?? null, budget);
  }
}

/** Of a type whose member of the same name arrives in pieces, successive pieces are one part. */
function partsOf(rules: ObjectRules, budget: CaptureBudget): PartKinds {
  return {
    continues: (type) => rules.members.has(type),
    create: () => (budget.grow(overheadBytes) ? new AssembledObject(rules, budget) : null),
  };
}
