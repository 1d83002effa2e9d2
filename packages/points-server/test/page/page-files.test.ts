import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { pageFiles } from "../../src/page/page-files.ts";

const files = pageFiles({ prefix: "points", network: "main" });

test("every script and stylesheet of the folder is served", () => {
  const names = readdirSync(new URL("../../src/page/", import.meta.url))
    .filter((name) => /\.(?:js|css)$/.test(name))
    .map((name) => `/page/${name}`);
  expect([...files.keys()].sort()).toEqual(["/", ...names].sort());
});

test("the page tells its scripts where to ask", () => {
  const page = files.get("/");
  expect(page?.type).toBe("text/html; charset=utf-8");
  expect(page?.body).toContain('data-prefix="points" data-network="main"');
  expect(page?.body).toContain('href="points/main/total/null"');
});
