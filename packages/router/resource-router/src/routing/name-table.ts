import { endsSegment } from "../path/path-characters.ts";

/** Entries by name, looked up by a segment of a longer string without copying it. */
export class NameTable<T extends { readonly name: string }> {
  readonly #byHash: Map<number, T[]> = new Map();
  #longest = 0;

  add(entry: T): void {
    const { name } = entry;
    let hash = 0;
    for (let index = 0; index < name.length; index++) hash = mix(hash, name.charCodeAt(index));
    const alike = this.#byHash.get(hash);
    if (alike === undefined) this.#byHash.set(hash, [entry]);
    else alike.push(entry);
    this.#longest = Math.max(this.#longest, name.length);
  }

  /** The entry whose name is the segment of `path` that begins at `start`. */
  find(path: string, start: number): T | undefined {
    // One character more than the longest name is enough to recognise a longer segment.
    const end = Math.min(path.length, start + this.#longest + 1);
    let hash = 0;
    let index = start;
    for (; index < end; index++) {
      const code = path.charCodeAt(index);
      if (endsSegment(code)) break;
      hash = mix(hash, code);
    }
    const alike = this.#byHash.get(hash);
    if (alike === undefined) return undefined;
    for (const entry of alike) {
      const { name } = entry;
      if (name.length === index - start && path.startsWith(name, start)) return entry;
    }
    return undefined;
  }
}

function mix(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}
