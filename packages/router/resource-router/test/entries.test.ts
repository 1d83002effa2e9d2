import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** The modules that a module loads, including itself; type imports are not loaded. */
async function loadedBy(module: string, seen: Set<string> = new Set()): Promise<Set<string>> {
  if (seen.has(module)) return seen;
  seen.add(module);
  if (!module.startsWith("file:")) return seen;
  const source = await readFile(new URL(module), "utf8");
  for (const [, names = "", from = ""] of source.matchAll(
    /(?:import|export)\s([^;]*?)\sfrom "([^"]+)"/g,
  )) {
    if (names.startsWith("type ")) continue;
    await loadedBy(from.startsWith(".") ? new URL(from, module).href : from, seen);
  }
  return seen;
}

async function namesLoadedBy(entry: string): Promise<readonly string[]> {
  const modules = [...(await loadedBy(new URL(`../src/${entry}`, import.meta.url).href))];
  return modules.map((module) => module.replace(/.*\/src\//, "")).sort();
}

test("the client loads nothing from Node, so that it runs in browsers, and nothing from the server", async () => {
  expect(await namesLoadedBy("client.ts")).toEqual([
    "answer/problem-document.ts",
    "client.ts",
    "client/call.ts",
    "client/read-answer.ts",
    "client/request-failed-error.ts",
    "client/resource-client.ts",
    "path/segment.ts",
  ]);
});

test.each(["fetch.ts", "hono.ts", "openapi.ts"])(
  "%s loads nothing from Node, so that it runs anywhere",
  async (entry) => {
    const names = await namesLoadedBy(entry);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => name.startsWith("node"))).toEqual([]);
  },
);
