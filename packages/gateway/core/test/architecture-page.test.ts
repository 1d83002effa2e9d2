import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, normalize } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../../../../", import.meta.url);
const source = new URL("../src/", import.meta.url);
const page = readFileSync(new URL("docs/architecture.md", root), "utf8");
const [picture = ""] = /┌─[\s\S]*?└─/.exec(page) ?? [];
/** The picture's lines from top to bottom, each with the folders that it names from left to right. */
const lines = picture
  .split("\n")
  .map((line) => Array.from(line.matchAll(/([a-z-]+)\/(?= )/g), ([, name = ""]) => name))
  .filter((names) => names.length > 0);

test("the picture names every folder", () => {
  const folders = readdirSync(source, { withFileTypes: true }).filter((it) => it.isDirectory());
  expect(lines.flat().toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
});

test("folders import only downwards in the picture, or to the right", () => {
  const order = lines.flat();
  const upwards: string[] = [];
  for (const file of globSync("*/**/*.ts", { cwd: source })) {
    const text = readFileSync(new URL(file, source), "utf8");
    for (const [, target = ""] of text.matchAll(/\bfrom "(\.[^"]+)"/g)) {
      const imported = normalize(`${dirname(file)}/${target}`);
      const to = order.indexOf(folderOf(imported));
      // Files beside the folders are not in the picture.
      if (to >= 0 && to < order.indexOf(folderOf(file)))
        upwards.push(`${file} imports ${imported}`);
    }
  }
  expect(upwards).toEqual([]);
});

test("the files that the page names exist", () => {
  const places = ["", "packages/gateway/", "packages/gateway/core/", "packages/gateway/core/src/"];
  const others = ["packages/gateway/protocol/src/", "packages/gateway/launcher-client/src/"];
  const named = Array.from(page.matchAll(/`([\w./-]+\/[\w-]+\.(?:ts|mjs))`/g), ([, path]) => path);
  const isThere = (path?: string) =>
    [...places, ...others].some((place) => existsSync(new URL(`${place}${path}`, root)));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

test("the table of stages has those of the pipeline", () => {
  const handlers = readFileSync(new URL("handlers.ts", source), "utf8");
  const [, table = ""] = /\n\| stage \|.*\n\| -.*\n((?:\|.*\n)+)/.exec(page) ?? [];
  const named = Array.from(table.matchAll(/^\| ([a-z-]+)/gm), ([, name]) => name);
  const [, composed = ""] = /const stepStages = ([\s\S]*)return \{/.exec(handlers) ?? [];
  const stages = Array.from(composed.matchAll(/^ {4}([a-z]\w+)[<(]/gm), ([, name = ""]) =>
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  const [forward, ...tabled] = named.toReversed();
  expect(forward).toBe("forward");
  // Their paragraph is below the table.
  const below = new Set(["follow-stored", "serve-conversation"]);
  const inTable = new Set(stages.filter((name) => !below.has(name)));
  expect(tabled.toSorted()).toEqual([...inTable].toSorted());
});

function folderOf(path: string): string {
  const [folder = ""] = path.split("/");
  return folder;
}
