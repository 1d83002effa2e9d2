import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { packedFile, readFiles, type StaticFile } from "@proj/program/page";

const require = createRequire(import.meta.url);
const library = new URL(
  "dist/lightweight-charts.standalone.production.mjs",
  pathToFileURL(require.resolve("lightweight-charts/package.json")),
);
const folder = new URL("../../src/page/", import.meta.url);

/**
 * The chart library and its options for a page, by name: `lightweight-charts.js`, and `chart-options.js`, which exports
 * `inLocalTime(place)` and `timeText(seconds)`. A page with charts needs `pageHeaders({ inlineStyles: true })`.
 */
export function chartFiles(): ReadonlyMap<string, StaticFile> {
  const [[name, text] = ["", ""]] = readFiles(folder, ["chart-options.js"]);
  return new Map([
    [name, packedFile(name, text)],
    ["lightweight-charts.js", packedFile("charts.js", readFileSync(library))],
  ]);
}
