import { type References, referenceOf } from "../json-schema/references.ts";
import { type JsonSchema, mapSubSchemas } from "../json-schema/sub-schemas.ts";

const prefix = "#/components/schemas/";
const definition = /^\/(?:\$defs|definitions)\/([^/]+)/;
/** Names that libraries make up for definitions without one: they say nothing, and differ from run to run. */
const madeUp = /^(?:__|(?:alias|intersection|morph|union)?\d+$)/;

/** Where a schema is used. */
export interface Use {
  readonly references: References;
  /** For components whose definition has no name. */
  readonly name: string;
  readonly io: "input" | "output";
}

/**
 * The schemas that others refer to. A reference within a schema leads somewhere else once the schema is a part of a
 * document; so what it leads to becomes a component, and the reference leads there.
 */
export class Components {
  readonly schemas: Record<string, JsonSchema>;
  /** Names by what they stand for: the same definition in two schemas is one component. */
  readonly #names = new Map<string, string>();

  /** @param schemas present from the beginning */
  constructor(schemas: Record<string, JsonSchema>) {
    this.schemas = { ...schemas };
  }

  /** A whole schema for a place in the document. */
  whole(use: Use): JsonSchema {
    const placed = this.part(use.references.root, use);
    const component = this.#names.get(keyOf("", use.references));
    return component === undefined ? placed : { $ref: prefix + component };
  }

  /** A part of a schema for a place in the document. */
  part(schema: JsonSchema, use: Use): JsonSchema {
    const { $ref, $dynamicRef, $schema, $id, $anchor, $dynamicAnchor, ...kept } = schema;
    if (schema === use.references.root) {
      delete kept.$defs;
      delete kept.definitions;
    }
    const copy = mapSubSchemas(kept, (part) => this.part(part, use));
    const reference = referenceOf(schema);
    return reference === null ? copy : { $ref: this.#reference(reference, use), ...copy };
  }

  #reference(reference: string, use: Use): string {
    const { references } = use;
    const pointer = references.pointerOf(reference);
    if (pointer === null) return reference;
    // A reference that leads nowhere is an error here: readers of the document could not tell why.
    references.at(pointer);
    const [defined = "", own = ""] = definition.exec(pointer) ?? [];
    const known = this.#component(defined, own, use);
    const below = pointer.slice(defined.length).split("/").map(encodeURIComponent).join("/");
    return prefix + known + below;
  }

  /** @param pointer of a definition, or empty: of the whole schema @returns the component's name */
  #component(pointer: string, own: string, use: Use): string {
    const { references, name, io } = use;
    const key = keyOf(pointer, references);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const wanted = own === "" || madeUp.test(own) ? name : own;
    const chosen = this.#free(wanted.replaceAll(/[^\w.-]/g, "_"), io);
    this.#names.set(key, chosen);
    // Its place in the order, and its name, are taken before it refers to itself.
    this.schemas[chosen] = {};
    this.schemas[chosen] = this.part(references.at(pointer), use);
    return chosen;
  }

  /** What a library accepts and what it gives are often two schemas with one name. */
  #free(wanted: string, io: Use["io"]): string {
    if (!(wanted in this.schemas)) return wanted;
    const other = wanted + (io === "input" ? "Input" : "Output");
    let name = other;
    for (let count = 2; name in this.schemas; count += 1) name = `${other}${count}`;
    return name;
  }
}

/** Equal for two definitions only if they mean the same, with all that they refer to. */
function keyOf(pointer: string, references: References): string {
  const parts = new Map<string, JsonSchema>();
  const add = (at: string): void => {
    const [defined = ""] = definition.exec(at) ?? [];
    if (parts.has(defined)) return;
    const part = references.at(defined);
    parts.set(defined, defined === "" ? withoutDefinitions(part) : part);
    visit(part === references.root ? withoutDefinitions(part) : part);
  };
  const visit = (schema: JsonSchema): void => {
    const reference = referenceOf(schema);
    const target = reference === null ? null : references.pointerOf(reference);
    if (target !== null) add(target);
    mapSubSchemas(schema, (part) => {
      visit(part);
      return part;
    });
  };
  add(pointer);
  return JSON.stringify([...parts]);
}

function withoutDefinitions({ $defs, definitions, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
