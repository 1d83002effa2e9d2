import { isSchema, type JsonSchema, mapSubSchemas } from "./sub-schemas.ts";

/** The references within one schema. */
export class References {
  readonly root: JsonSchema;
  /** Pointers by the names that anchors and ids give to sub-schemas. */
  readonly #named = new Map<string, string>();

  constructor(root: JsonSchema) {
    this.root = root;
    this.#read(root, "");
  }

  /** The JSON pointer of what a `$ref` refers to; null: it is in another document. */
  pointerOf(reference: string): string | null {
    const [resource = "", fragment = ""] = reference.split("#", 2);
    const base = resource === "" ? "" : this.#named.get(resource);
    if (base === undefined) return null;
    if (fragment === "" || fragment.startsWith("/")) return base + decodeURIComponent(fragment);
    return this.#named.get(`#${fragment}`) ?? null;
  }

  /** @throws Error nothing is there */
  at(pointer: string): JsonSchema {
    let place: unknown = this.root;
    for (const token of pointer.split("/").slice(1)) {
      const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
      place = Object(place)[key];
    }
    if (place === true) return {};
    if (!isSchema(place)) throw new Error(`The reference '#${pointer}' leads nowhere.`);
    return place;
  }

  /** The schema that a reference leads to; one in another document may be anything. */
  follow(reference: string): JsonSchema {
    const pointer = this.pointerOf(reference);
    return pointer === null ? {} : this.at(pointer);
  }

  #read(schema: JsonSchema, pointer: string): void {
    const { $id, $anchor, $dynamicAnchor } = schema;
    if (typeof $id === "string") this.#named.set($id.replace(/#$/, ""), pointer);
    for (const anchor of [$anchor, $dynamicAnchor])
      if (typeof anchor === "string") this.#named.set(`#${anchor}`, pointer);
    mapSubSchemas(schema, (part, below) => {
      this.#read(part, pointer + below);
      return part;
    });
  }
}

/** What a schema refers to, or null. */
export function referenceOf({ $ref, $dynamicRef }: JsonSchema): string | null {
  if (typeof $ref === "string") return $ref;
  return typeof $dynamicRef === "string" ? $dynamicRef : null;
}
