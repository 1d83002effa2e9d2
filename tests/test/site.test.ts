import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
// @boundaries-ignore the site is a script of the root, not a package
import { sidebar } from "../../scripts/docs-site/sidebar.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const links = sidebar([]).flatMap(({ items }) => items.map(({ link }) => link.split("#")[0] ?? ""));

test("the site's sidebar has every document and every program", () => {
  const documents = globSync("docs/*.md", { cwd: root }).map((file) => `/${file.slice(0, -3)}`);
  const programs = globSync("{apps/*,clients/*}/README.md", { cwd: root });
  const pages = [...documents, ...programs.map((file) => `/${file.slice(0, -"README.md".length)}`)];
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.filter((page) => !links.includes(page))).toEqual([]);
});

test("each page of the sidebar exists, unless the site's build generates it", () => {
  const kept = links.filter((link) => !/^\/(?:commands$|openapi\/)/.test(link));
  const fileOf = (link: string): string => (link.endsWith("/") ? `${link}README.md` : `${link}.md`);
  expect(kept.filter((link) => !existsSync(join(root, fileOf(link))))).toEqual([]);
});
