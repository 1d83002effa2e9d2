// Folders of a package import each other in one direction only, types included, so that each can be read and
// moved with only what is below it. Biome's noImportCycles looks at files, and ignores types.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const importOf =
  /^(?:import\s+|(?:import|export)\b[^"';]*?\bfrom\s+)"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/gm;

/** What each folder of `src` imports from others. A file directly in `src` counts as a folder. */
function importsBetweenFolders(source) {
  const between = new Map();
  for (const file of globSync("**/*.{ts,js}", { cwd: source })) {
    const from = folderOf(file);
    for (const [, target, dynamic] of readFileSync(join(source, file), "utf8").matchAll(importOf)) {
      const imported = normalize(join(dirname(file), target ?? dynamic));
      const to = folderOf(imported);
      if (to === from || imported.startsWith("..")) continue;
      if (!between.has(from)) between.set(from, new Map());
      const targets = between.get(from);
      targets.set(to, [...(targets.get(to) ?? []), `${file} imports ${imported}`]);
    }
  }
  return between;
}

function folderOf(file) {
  const [first = ""] = file.split(sep);
  return first === file ? file : `${first}/`;
}

/** The shortest cycle from a folder back to itself; null: there is none. */
function circleThrough(folder, between) {
  const ways = [[folder]];
  const seen = new Set();
  for (const way of ways) {
    for (const next of between.get(way.at(-1))?.keys() ?? []) {
      if (next === folder) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}

function circles(between) {
  const found = new Map();
  for (const folder of between.keys()) {
    const circle = circleThrough(folder, between);
    if (circle !== null) found.set(circle.toSorted().join(" "), circle);
  }
  return [...found.values()];
}

/**
 * A street is a folder of packages that belong to one product, so that it could move to a repository of its own. Its
 * packages depend on each other and on those in `base`. These cross on purpose:
 */
const crossings = new Map([
  // Tests of other streets talk to a model as well.
  ["@proj/test-kit", ["gateway"]],
  // As any user of the published package would.
  ["@proj/points-server", ["router"]],
]);
const streetOf = new Map();
const manifests = globSync("packages/*/*/package.json", { cwd: root }).map((file) => {
  const manifest = JSON.parse(readFileSync(join(root, file), "utf8"));
  streetOf.set(manifest.name, file.split(sep)[1]);
  return manifest;
});
for (const { name, dependencies = {}, devDependencies = {} } of manifests) {
  const allowed = ["base", streetOf.get(name), ...(crossings.get(name) ?? [])];
  for (const other of Object.keys({ ...dependencies, ...devDependencies })) {
    if (!streetOf.has(other) || allowed.includes(streetOf.get(other))) continue;
    process.exitCode = 1;
    console.error(`${name} must not depend on ${other}, of another street`);
  }
}

for (const source of globSync("{packages/*,apps}/*/src", { cwd: root }).toSorted()) {
  const between = importsBetweenFolders(join(root, source));
  for (const circle of circles(between)) {
    process.exitCode = 1;
    console.error(`${source}: ${circle.join(" ")} import each other:`);
    for (const [index, folder] of circle.entries()) {
      const lines = between.get(folder).get(circle[(index + 1) % circle.length]);
      const more = lines.length > 3 ? [`and ${lines.length - 3} more`] : [];
      for (const line of [...lines.slice(0, 3), ...more]) console.error(`  ${line}`);
    }
  }
}
