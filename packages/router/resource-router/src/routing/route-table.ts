import type { Hook } from "../operation/hook.ts";
import { endsPath, endsSegment, slash } from "../path/path-characters.ts";
import { decodeId } from "../path/segment.ts";
import type { Group } from "./group.ts";
import { NameTable } from "./name-table.ts";
import { type PathForm, pathForm } from "./path-form.ts";
import type { Resource } from "./resource.ts";

/** A resource's path, found in a request target. */
export interface Match {
  readonly form: PathForm;
  /** Decoded; empty: the path of the collection; null: the id, or one of a parent, cannot be decoded. */
  readonly id: string | null;
  /** The ids of the parent items, decoded. */
  readonly above: readonly string[];
}

/** The resources and groups with the same name. */
interface Place {
  readonly name: string;
  /** The group's members. */
  readonly group: NameTable<Place> | null;
  /** What follows the id of a resource's item. */
  readonly below: NameTable<Place>;
  resource: { readonly collection: Match; readonly item: PathForm } | null;
}

/** Shared by all paths without parents, which are most. */
const noIds: readonly string[] = [];

/** Finds the resource that a request target addresses, in one pass over its path. */
export class RouteTable {
  readonly #root: NameTable<Place> = new NameTable();

  /** @throws Error two members have the same path */
  constructor(members: readonly (Resource | Group)[], hooks: readonly Hook[] = []) {
    addAll(members, this.#root, "/", hooks);
  }

  /** Null: no resource is addressed; nothing is allocated in that case. */
  find(target: string): Match | null {
    let table = this.#root;
    for (let start = pathStart(target); start > 0; ) {
      const place = table.find(target, start);
      if (place === undefined) return null;
      const end = start + place.name.length;
      if (place.group === null) return matchItem(place, target, end, noIds);
      if (target.charCodeAt(end) !== slash) return null;
      table = place.group;
      start = end + 1;
    }
    return null;
  }
}

function addAll(
  members: readonly (Resource | Group)[],
  table: NameTable<Place>,
  path: string,
  hooks: readonly Hook[],
): void {
  for (const member of members) {
    if ("prefix" in member) addGroup(member, table, path, hooks);
    else addResource(member, table, path, hooks);
  }
}

function addResource(
  resource: Resource,
  table: NameTable<Place>,
  path: string,
  hooks: readonly Hook[],
): void {
  const { name, template } = resource;
  let place: Place | null = null;
  for (const segment of template.names) {
    const at: NameTable<Place> = place === null ? table : place.below;
    place = at.find(segment, 0) ?? addPlace(at, segment, null);
    if (place.group !== null) throw takenTwice(path + name);
  }
  if (place === null || place.resource !== null) throw takenTwice(path + name);
  const [collection, item] = (["collection", "item"] as const).map((form) =>
    pathForm(resource, form, hooks),
  ) as [PathForm, PathForm];
  place.resource = { collection: { form: collection, id: "", above: noIds }, item };
}

/** Groups may share the first segments of their prefixes. */
function addGroup(
  { prefix, members, hooks: own }: Group,
  table: NameTable<Place>,
  path: string,
  hooks: readonly Hook[],
): void {
  let below = table;
  let above = path;
  for (const name of prefix) {
    const place = below.find(name, 0) ?? addPlace(below, name, new NameTable());
    if (place.group === null) throw takenTwice(above + name);
    below = place.group;
    above += `${name}/`;
  }
  addAll(members, below, above, [...hooks, ...own]);
}

function addPlace(table: NameTable<Place>, name: string, group: Place["group"]): Place {
  const place: Place = { name, group, below: new NameTable(), resource: null };
  table.add(place);
  return place;
}

function takenTwice(path: string): Error {
  return new Error(
    `The path '${path}' is taken twice. Each resource and each group needs its own.`,
  );
}

/**
 * Where the first segment of a target begins; 0 if it has none. A server must accept the absolute form too (RFC 9112,
 * section 3.2.2); the asterisk of OPTIONS addresses no resource.
 */
function pathStart(target: string): number {
  if (target.charCodeAt(0) === slash) return 1;
  return /^https?:\/\/[^/?#]*\//i.exec(target)?.[0].length ?? 0;
}

/**
 * Matches what follows a resource's name: nothing, a slash, a slash and one segment, or below that segment another
 * resource.
 * @param above the segments of the ids so far
 */
function matchItem(
  place: Place,
  target: string,
  nameEnd: number,
  above: readonly string[],
): Match | null {
  const start = target.charCodeAt(nameEnd) === slash ? nameEnd + 1 : nameEnd;
  let end = start;
  while (end < target.length && !endsSegment(target.charCodeAt(end))) end++;
  if (end < target.length && !endsPath(target.charCodeAt(end))) {
    const below = end === start ? undefined : place.below.find(target, end + 1);
    if (below === undefined) return null;
    const ids = [...above, target.slice(start, end)];
    return matchItem(below, target, end + 1 + below.name.length, ids);
  }
  if (place.resource === null) return null;
  const { collection, item } = place.resource;
  if (end === start && above.length === 0) return collection;
  return decoded(end === start ? collection.form : item, target.slice(start, end), above);
}

function decoded(form: PathForm, segment: string, above: readonly string[]): Match {
  if (above.length === 0) return { form, id: decodeId(segment), above };
  const ids = above.map(decodeId).filter((id) => id !== null);
  const id = ids.length < above.length ? null : decodeId(segment);
  return { form, id, above: ids };
}
