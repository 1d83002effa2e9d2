import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { type BuiltFeed, builtFeed, modelCount, runHere, slugs, startProgram } from "./program.ts";

const readFeed = ({ output }: BuiltFeed): Promise<string> =>
  readFile(join(output, "v1/feed.json"), "utf8");

test("build publishes every provider's notices, and exits with 0", async () => {
  await using built = await builtFeed();
  expect(built.first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`${modelCount} models in .*feed: the first run`)),
  });
  const { items } = JSON.parse(await readFeed(built));
  expect(items).toHaveLength(modelCount);
  const { code, stdout } = await built.build("--json", "--url", "https://feeds.example/models");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    first_run: false,
    models: modelCount,
    new_models: 0,
    changes: 0,
  });
  expect(JSON.parse(await readFeed(built)).home_page_url).toBe("https://feeds.example/models/");
});

test("a page that cannot be read is reported with exit code 1, and the others are published", async () => {
  await using built = await builtFeed();
  built.pages.replies.set("openai", (_request, response) => void response.writeHead(404).end());
  built.pages.replies.set("groq", (_request, response) => response.end("# Nothing here\n"));
  const { code, stdout, stderr } = await built.build();
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /OpenAI is stale: .*\/openai answered with status 404; keeping its 2 models of 20/,
  );
  expect(stderr).toMatch(/Groq is stale: the page has no notices/);
  expect(stdout).toContain(`${modelCount} models`);
  const status = JSON.parse(await readFile(join(built.output, "v1/status.json"), "utf8"));
  const stale = status.providers.filter(({ state }: { state: string }) => state === "stale");
  expect(stale.map(({ slug }: { slug: string }) => slug)).toEqual(["openai", "groq"]);
});

test("a page with far fewer models is published if the operator accepts it", async () => {
  await using built = await builtFeed();
  const rows = ["| Model ID | Shutdown date |", "| --- | --- |"];
  const page = (count: number) =>
    [...rows, ...Array.from({ length: count }, (_, n) => `| \`model-${n}\` | 2099-01-31 |`)].join(
      "\n",
    );
  built.pages.replies.set("xai", (_request, response) => void response.end(page(6)));
  expect((await built.build("--accept", "xai")).code).toBe(0);
  built.pages.replies.set("xai", (_request, response) => void response.end(page(1)));
  expect(await built.build()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /xAI is stale: of 6 models 5 are missing.*\n.*build --out .* --accept xai/,
    ),
  });
  expect((await built.build("--accept", "xai")).code).toBe(0);
});

test("a state that cannot be read is reported with exit code 3, and nothing is changed", async () => {
  await using built = await builtFeed();
  const before = await readFeed(built);
  const missing = await built.build("--state", join(built.folder, "elsewhere"));
  expect(missing).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("elsewhere: v1/deprecations.json"),
  });
  await writeFile(join(built.output, "v1/deprecations.json"), "{");
  expect(await built.build()).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("is not JSON"),
  });
  expect(await readFeed(built)).toBe(before);
  expect(await built.build("--state", "none")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("the first run"),
  });
});

test.each([
  ["SIGKILL", { code: null, signal: "SIGKILL" }],
  ["SIGTERM", { code: 130, signal: null }],
] as const)("a run ended by %s leaves the published files as they were", async (signal, exit) => {
  await using built = await builtFeed();
  const before = await readFeed(built);
  built.pages.replies.set("mistral", () => {});
  built.pages.requests.length = 0;
  await using program = startProgram(["build", "--out", built.output, ...built.pages.args]);
  await waitFor(() => built.pages.requests.length === slugs.length, "all pages to be asked for");
  program.kill(signal);
  expect(await program.exit()).toEqual(exit);
  expect(await readFeed(built)).toBe(before);
  built.pages.replies.clear();
  expect((await built.build()).code).toBe(0);
});

test("a folder that is not writable is reported with exit code 3", async () => {
  await using built = await builtFeed();
  const file = join(built.folder, "file");
  await writeFile(file, "");
  const args = ["build", "--out", file, "--state", "none", ...built.pages.args];
  expect(await runHere(args)).toMatchObject({ code: 3, stdout: "" });
});

test("a dry run prints what would change, and changes nothing", async () => {
  await using built = await builtFeed();
  const before = await readFeed(built);
  const page = `| Model ID | Shutdown date |\n| --- | --- |\n| \`old-1\` | 2020-01-31 |\n| \`new-9\` | 2099-05-01 |\n`;
  built.pages.replies.set("xai", (_request, response) => void response.end(page));
  const { code, stdout } = await built.build("--dry-run", "--accept", "xai");
  expect(code).toBe(0);
  expect(stdout).toContain("xAI:\n    - late-1 (2019-05-01)\n");
  expect(stdout).toContain("    + new-9 (2099-05-01)\n");
  expect(await readFeed(built)).toBe(before);
});
