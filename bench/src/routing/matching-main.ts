/** A child process of the bench: the router's matching next to find-my-way's, without HTTP. */
import { createRouter, resource } from "@proj/resource-router";
import findMyWay from "find-my-way";
import { shuffled } from "../statistics.ts";
import type { MatchingRecord } from "./matching.ts";
import { hitPaths, missPaths, RESOURCES } from "./routes.ts";

const ROUNDS = 30;
const PATHS = 2000;
const REPEATS = 50;

type Find = (path: string) => string | null;

const operations = {
  index: () => null,
  find: () => null,
  create: () => null,
  update: () => null,
  delete: () => null,
  options: () => null,
};
const router = createRouter(RESOURCES.map((name) => resource(name, operations)));

const findMyWayRouter = findMyWay();
for (const name of RESOURCES) {
  for (const path of [`/${name}`, `/${name}/`])
    findMyWayRouter.on(["GET", "HEAD", "POST", "OPTIONS"], path, () => {});
  findMyWayRouter.on(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"], `/${name}/:id`, () => {});
}

/** Both return the decoded id, which is empty for a collection, or null if nothing matches. */
const finders: readonly (readonly [name: string, find: Find])[] = [
  [
    "router",
    (path) => {
      const match = router.match("GET", path);
      return match === null || match.operation === null ? null : match.id;
    },
  ],
  [
    "find-my-way",
    (path) => {
      const found = findMyWayRouter.find("GET", path);
      return found === null ? null : (found.params.id ?? "");
    },
  ],
];

function measure(find: Find, paths: readonly string[]): number {
  let found = 0;
  const startedAt = performance.now();
  for (let repeat = 0; repeat < REPEATS; repeat++)
    for (const path of paths) if (find(path) !== null) found++;
  const elapsedMs = performance.now() - startedAt;
  if (found !== 0 && found !== REPEATS * paths.length) throw new Error("not every path was found");
  return (elapsedMs * 1_000_000) / (REPEATS * paths.length);
}

/** Paths are made as Node's parser makes them: flat strings with one byte per character. */
function asReceived(paths: readonly string[]): string[] {
  return paths.map((path) => Buffer.from(path).toString("latin1"));
}

const sets = { hits: asReceived(hitPaths(PATHS)), misses: asReceived(missPaths(PATHS)) };
for (const path of [...sets.hits, ...sets.misses]) {
  const [ours, theirs] = finders.map(([, find]) => find(path));
  if (ours !== theirs) throw new Error(`${path}: '${ours}' here, '${theirs}' by find-my-way`);
}
const records: MatchingRecord[] = [];
for (let round = -3; round < ROUNDS; round++) {
  for (const [paths, list] of Object.entries(sets)) {
    for (const [row, find] of shuffled(finders)) {
      const nanoseconds = measure(find, list);
      if (round >= 0) records.push({ row, paths, round, nanoseconds });
    }
  }
}
process.send?.({ records });
