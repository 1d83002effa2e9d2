import type { Group } from "./group.ts";
import { NameTable } from "./name-table.ts";
import { endsPath, slash } from "./path-characters.ts";
import type { PathForm } from "./path-form.ts";
import type { Resource } from "./resource.ts";
import { decodeId } from "./segment.ts";

/** A resource's path, found in a request's target. */
export interface Match {
  readonly form: PathForm;
  /** Decoded; empty: the path is that of the collection; null: it cannot be decoded. */
  readonly id: string | null;
}

interface ResourcePlace {
  readonly name: string;
  readonly collection: Match;
  readonly item: PathForm;
}

interface GroupPlace {
  readonly name: string;
  readonly below: NameTable<Place>;
}

type Place = ResourcePlace | GroupPlace;

/** Finds the resource that a request's target addresses, in one pass over its path. */
export class RouteTable {
  readonly #root: NameTable<Place> = new NameTable();

  /** @throws Error where a path is taken twice */
  constructor(members: readonly (Resource | Group)[]) {
    addAll(members, this.#root, "/");
  }

  /** Null where no resource is addressed; nothing is allocated on the way there. */
  find(target: string): Match | null {
    let table = this.#root;
    for (let start = pathStart(target); start > 0; ) {
      const place = table.find(target, start);
      if (place === undefined) return null;
      const end = start + place.name.length;
      if ("item" in place) return matchResource(place, target, end);
      if (target.charCodeAt(end) !== slash) return null;
      table = place.below;
      start = end + 1;
    }
    return null;
  }
}

function addAll(
  members: readonly (Resource | Group)[],
  table: NameTable<Place>,
  path: string,
): void {
  for (const member of members) {
    if ("prefix" in member) {
      addGroup(member, table, path);
      continue;
    }
    const { name, collection, item } = member;
    if (table.find(name, 0) !== undefined) throw takenTwice(path + name);
    table.add({ name, collection: { form: collection, id: "" }, item });
  }
}

/** Groups may share the beginning of their prefixes. */
function addGroup({ prefix, members }: Group, table: NameTable<Place>, path: string): void {
  let below = table;
  let above = path;
  for (const name of prefix) {
    const known = below.find(name, 0);
    if (known !== undefined && "item" in known) throw takenTwice(above + name);
    const place = known ?? { name, below: new NameTable<Place>() };
    if (known === undefined) below.add(place);
    below = place.below;
    above += `${name}/`;
  }
  addAll(members, below, above);
}

function takenTwice(path: string): Error {
  return new Error(
    `The path '${path}' is taken twice. Each resource and each group needs its own.`,
  );
}

/**
 * Where the first segment of a target begins, 0 where it has none. A server has to take the
 * absolute form too (RFC 9112, section 3.2.2); the asterisk of OPTIONS addresses no resource.
 */
function pathStart(target: string): number {
  if (target.charCodeAt(0) === slash) return 1;
  return /^https?:\/\/[^/?#]*\//i.exec(target)?.[0].length ?? 0;
}

/** What follows a resource's name: nothing, a slash, or a slash and one segment. */
function matchResource(place: ResourcePlace, target: string, nameEnd: number): Match | null {
  const start = target.charCodeAt(nameEnd) === slash ? nameEnd + 1 : nameEnd;
  let end = start;
  for (; end < target.length; end++) {
    const code = target.charCodeAt(end);
    if (code === slash) return null;
    if (endsPath(code)) break;
  }
  if (end === start) return place.collection;
  return { form: place.item, id: decodeId(target.slice(start, end)) };
}
