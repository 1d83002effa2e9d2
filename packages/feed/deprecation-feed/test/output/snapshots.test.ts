import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buildFeed } from "@proj/deprecation-feed";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { deprecationPage, startPageSite, testProvider } from "../page-site.ts";

test("the text of each page is kept for people, with what has changed on it", async () => {
  await using site = await startPageSite();
  await using folder = await temporaryFolder();
  const build = async (day: string, ...ids: readonly string[]): Promise<void> => {
    site.pages.set("/acme", deprecationPage(...ids.map((model_id) => ({ model_id }))));
    await buildFeed({
      providers: [testProvider(site)],
      output: folder.path,
      base_url: "https://feeds.example/",
      now: new Date(day),
    });
  };
  const read = (name: string): Promise<string> =>
    readFile(join(folder.path, "v1/snapshots", name), "utf8");
  await build("2026-10-01", "m-1");
  expect(await read("acme.txt")).toContain("m-1|");
  expect(await read("acme.changes.txt")).toBe("");
  await build("2026-10-02", "m-1", "m-2");
  await build("2026-10-03", "m-1", "m-2");
  await build("2026-10-04", "m-1", "m-2", "m-3");
  const added = [...(await read("acme.changes.txt")).matchAll(/^\+(?:\+\+ page\t(\S+)|(m-\d))/gm)];
  expect(added.map(([, day, model]) => day ?? model)).toEqual([
    "2026-10-04",
    "m-3",
    "2026-10-02",
    "m-2",
  ]);
});
