import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as client from "../src/client.ts";
import * as server from "../src/index.ts";

/** The modules that a module loads, itself included; types are loaded by nobody. */
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

test("the client loads nothing of Node, so that it runs in browsers, and nothing of the server", async () => {
  const modules = [...(await loadedBy(new URL("../src/client.ts", import.meta.url).href))];
  const names = modules.map((module) => module.replace(/.*\/src\//, "")).sort();
  expect(names).toEqual([
    "answer/problem-document.ts",
    "client.ts",
    "client/call.ts",
    "client/read-answer.ts",
    "client/request-failed-error.ts",
    "client/resource-client.ts",
    "routing/segment.ts",
  ]);
});

test("the public names change on purpose only", () => {
  expect(Object.keys(client).sort()).toEqual(["RequestFailedError", "createResourceClient"]);
  expect(Object.keys(server).sort()).toEqual([
    "Problem",
    "answerMethodNotAllowed",
    "answerNotImplemented",
    "badRequest",
    "createRouter",
    "created",
    "group",
    "noContent",
    "notFound",
    "reply",
    "resource",
    "updated",
  ]);
});
