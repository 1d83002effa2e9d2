import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BuildOptions, buildFeed, OutputError, StateError } from "@proj/deprecation-feed";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { deprecationPage, type PageSite, startPageSite, testProvider } from "../page-site.ts";
import { ownPages } from "../providers/pages.ts";

const page = deprecationPage({ model_id: "m-1", shutdown_date: "2027-01-01" });

const options = (site: PageSite, output: string): BuildOptions => ({
  providers: [testProvider(site)],
  output,
  base_url: "https://feeds.example/models",
});

/** Every file of the site by path, with its text and time. */
async function readSite(folder: string): Promise<Map<string, { text: string; seconds: number }>> {
  const files = new Map<string, { text: string; seconds: number }>();
  for (const root of ["index.html", "llms.txt", "page", "v1"]) {
    const path = join(folder, root);
    const below = (await stat(path)).isDirectory()
      ? await readdir(path, { recursive: true })
      : [""];
    for (const name of below) {
      const { seconds, isFile } = await statOf(join(path, name));
      if (isFile)
        files.set(join(root, name), { text: await readFile(join(path, name), "utf8"), seconds });
    }
  }
  return files;
}

async function statOf(path: string) {
  const entry = await stat(path);
  return { seconds: Math.floor(entry.mtimeMs / 1000), isFile: entry.isFile() };
}

test("a run that learns nothing changes only status.json, and no other file's time", async () => {
  await using site = await startPageSite({ "/acme": page });
  await using folder = await temporaryFolder();
  const first = await buildFeed({ ...options(site, folder.path), now: new Date("2026-10-01") });
  const before = await readSite(folder.path);
  const second = await buildFeed({ ...options(site, folder.path), now: new Date("2026-12-02") });
  const after = await readSite(folder.path);
  expect([first.isFirstRun, second.isFirstRun]).toEqual([true, false]);
  expect(JSON.parse(after.get("v1/status.json")?.text ?? "")).toMatchObject({
    checked_at: "2026-12-02T00:00:00.000Z",
  });
  before.delete("v1/status.json");
  after.delete("v1/status.json");
  expect(after).toEqual(before);
  expect(after.size).toBeGreaterThan(10);
});

test("the site is complete, and its URLs are below its base URL", async () => {
  await using site = await startPageSite({ "/acme": page });
  await using folder = await temporaryFolder();
  await buildFeed(options(site, folder.path));
  const files = await readSite(folder.path);
  expect([...files.keys()].filter((path) => !path.startsWith("page/")).sort()).toEqual([
    "index.html",
    "llms.txt",
    "v1/calendar.ics",
    "v1/deprecations.json",
    "v1/feed.json",
    "v1/feed.xml",
    "v1/providers.json",
    "v1/providers/acme/feed.json",
    "v1/providers/acme/feed.xml",
    "v1/providers/acme/models.md",
    "v1/snapshots/acme.changes.txt",
    "v1/snapshots/acme.txt",
    "v1/status.json",
  ]);
  expect(JSON.parse(files.get("v1/providers/acme/feed.json")?.text ?? "")).toMatchObject({
    feed_url: "https://feeds.example/models/v1/providers/acme/feed.json",
    home_page_url: "https://feeds.example/models/",
  });
});

test("other files in the folder are left alone", async () => {
  await using site = await startPageSite({ "/acme": page });
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, "CNAME"), "feeds.example");
  await buildFeed(options(site, folder.path));
  await buildFeed(options(site, folder.path));
  expect(await readFile(join(folder.path, "CNAME"), "utf8")).toBe("feeds.example");
});

test("a run continues from a copy of an earlier output, and from one that is served", async () => {
  await using site = await startPageSite({ "/acme": page });
  await using folder = await temporaryFolder();
  const [first, copy, second] = ["first", "copy", "second"].map((name) => join(folder.path, name));
  if (first === undefined || copy === undefined || second === undefined) throw new Error();
  const { state } = await buildFeed({ ...options(site, first), now: new Date("2026-10-01") });
  await cp(first, copy, { recursive: true, dereference: true });
  for (const name of ["deprecations.json", "status.json"])
    site.pages.set(`/site/v1/${name}`, await readFile(join(copy, "v1", name), "utf8"));
  for (const location of [copy, `${site.url}/site`, `${site.url}/site/`]) {
    const { state: next } = await buildFeed({
      ...options(site, second),
      state: { kind: "feed", location },
    });
    expect(next.catalogue).toEqual(state.catalogue);
  }
  await expect(buildFeed(options(site, copy))).rejects.toThrow(/is a copy of an earlier output/);
});

test.each([
  ["no JSON", "{", /deprecations\.json is not JSON/],
  ["another version", '{"version":2}', /has version 2; this program reads 1/],
  ["no list", '{"version":1,"notices":{}}', /notices is not a list/],
  [
    "a damaged notice",
    '{"version":1,"notices":[{"provider":1}]}',
    /notices\[0\]: provider is not text/,
  ],
])("a state that is %s is an error, and nothing is written", async (_what, text, message) => {
  await using site = await startPageSite({ "/acme": page });
  await using folder = await temporaryFolder();
  await buildFeed(options(site, folder.path));
  await writeFile(join(folder.path, "v1/deprecations.json"), text);
  const before = await readSite(folder.path);
  const running = buildFeed(options(site, folder.path));
  await expect(running).rejects.toThrow(StateError);
  await expect(running).rejects.toThrow(message);
  expect(await readSite(folder.path)).toEqual(before);
});

test("a given state that does not exist is an error, not a first run", async () => {
  await using site = await startPageSite({ "/acme": page });
  await using folder = await temporaryFolder();
  for (const location of [join(folder.path, "nothing"), `${site.url}/nothing`]) {
    const running = buildFeed({ ...options(site, folder.path), state: { kind: "feed", location } });
    await expect(running).rejects.toThrow(StateError);
  }
  expect(await readdir(folder.path)).toEqual([]);
});

test("an output that lost its files is an error; a first run must be requested", async () => {
  await using site = await startPageSite({ "/acme": page });
  await using folder = await temporaryFolder();
  await buildFeed(options(site, folder.path));
  await rm(join(folder.path, ".versions"), { recursive: true });
  await expect(buildFeed(options(site, folder.path))).rejects.toThrow(StateError);
  const again = await buildFeed({ ...options(site, folder.path), state: { kind: "none" } });
  expect(again.isFirstRun).toBe(true);
});

test("a folder that has other files in place of the feed is left alone", async () => {
  await using site = await startPageSite({ "/acme": page });
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, "page"));
  await expect(buildFeed(options(site, folder.path))).rejects.toThrow(OutputError);
  expect(await readdir(folder.path)).toEqual(["page"]);
});

test("of two simultaneous runs, the second to finish fails", async () => {
  await using site = await startPageSite({ "/acme": page });
  await using folder = await temporaryFolder();
  await buildFeed(options(site, folder.path));
  site.pages.set("/acme", (_request, response) => {
    site.pages.set("/acme", page);
    void buildFeed(options(site, folder.path)).then(() => response.end(page));
  });
  await expect(buildFeed(options(site, folder.path))).rejects.toThrow(/another run has written/);
});

test("a first run that cannot read any page publishes nothing, and reports every reason", async () => {
  await using site = await startPageSite();
  await using folder = await temporaryFolder();
  await expect(buildFeed(options(site, folder.path))).rejects.toThrow(
    /^no page could be read, so nothing is published\n {2}Acme: .*status 404$/,
  );
  expect(await readdir(folder.path)).toEqual([]);
});

test("a dry run reports what would be published, and writes nothing", async () => {
  await using site = await startPageSite({ "/acme": page });
  await using folder = await temporaryFolder();
  const { state } = await buildFeed({ ...options(site, folder.path), dryRun: true });
  expect(state.catalogue.notices).toMatchObject([{ model_id: "m-1" }]);
  expect(await readdir(folder.path)).toEqual([]);
});

test("a retry reads only the given providers", async () => {
  await using site = await startPageSite({ "/acme": page, "/bolt": page });
  await using folder = await temporaryFolder();
  const both = {
    ...options(site, folder.path),
    providers: [testProvider(site), testProvider(site, "bolt")],
  };
  await buildFeed(both);
  site.requests.length = 0;
  const { state } = await buildFeed({ ...both, only: ["bolt"] });
  expect(site.requests.map(({ url }) => url)).toEqual(["/bolt"]);
  expect(state.catalogue.notices).toHaveLength(2);
});

test("pages of the package's own providers are written with the same bytes after reading them back", async () => {
  const pages = Object.fromEntries(
    ownPages().map(({ provider, text }) => [`/${provider.slug}`, text]),
  );
  await using site = await startPageSite(pages);
  await using folder = await temporaryFolder();
  const providers = ownPages().map(({ provider }) => ({
    ...provider,
    source_url: `${site.url}/${provider.slug}`,
  }));
  const own = { ...options(site, folder.path), providers };
  await buildFeed({ ...own, now: new Date("2026-08-20") });
  const before = await readSite(folder.path);
  const { state } = await buildFeed({ ...own, now: new Date("2026-08-21") });
  const after = await readSite(folder.path);
  expect(state.statuses.map(({ state }) => state)).toEqual(providers.map(() => "fresh"));
  before.delete("v1/status.json");
  after.delete("v1/status.json");
  const changed = [...after].filter(([path, { text }]) => before.get(path)?.text !== text);
  expect(changed.map(([path]) => path)).toEqual([]);
});
