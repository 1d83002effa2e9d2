import { readdirSync } from "node:fs";
import { kitNames } from "@proj/program/page";
import { expect, test } from "vitest";
import { pageFiles } from "../../src/page/page-files.ts";

const files = pageFiles({
  ...{ prefix: "points", network: "main" },
  ...{ rankings: null, hasQuest: true },
});

test("every script and stylesheet of the folder is served", () => {
  const names = readdirSync(new URL("../../src/page/", import.meta.url))
    .filter((name) => /\.(?:js|css)$/.test(name))
    .map((name) => `/page/${name}`);
  const kit = kitNames.map((name) => `/page/${name}`);
  expect([...files.keys()].sort()).toEqual(["/", "/page/rankings.js", ...kit, ...names].sort());
});

test("the page tells its scripts the API's paths", () => {
  const page = files.get("/");
  expect(page?.type).toBe("text/html; charset=utf-8");
  expect(String(page?.body)).toContain('data-prefix="points" data-network="main"');
  expect(String(page?.body)).toContain('href="points/main/total/null"');
});
