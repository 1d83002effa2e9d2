import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { builtFeed, modelCount, slugs, startPages, startProgram } from "./program.ts";

const notFound = (_request: unknown, response: ServerResponse): void =>
  void response.writeHead(404).end();

/** Starts the program on a port, by default any free one. @returns its URL, once it serves */
async function startServing(output: string, pageArgs: readonly string[], port = "0") {
  const program = startProgram(["serve", "--out", output, "--port", port, ...pageArgs]);
  const url = async (): Promise<string> => {
    const line = await program.line(/^serving /);
    return /http:[^\s,]+/.exec(line)?.[0] ?? "";
  };
  return { program, url, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

test("serve makes a missed update at its start, serves it, and shuts down cleanly", async () => {
  await using built = await builtFeed();
  await using serving = await startServing(join(built.folder, "fresh"), built.pages.args);
  const { program } = serving;
  const url = await serving.url();
  expect(await program.line(/^serving /)).toMatch(/next run \d{4}-\d\d-\d\dT02:00:00\.000Z$/);
  await program.line(new RegExp(`${modelCount} models in .*fresh: the first run`));
  const feed = await fetch(`${url}v1/feed.json?provider=openai`);
  const { items, feed_url } = JSON.parse(await feed.text());
  expect(items).toHaveLength(2);
  expect(feed_url).toBe(`${url}v1/feed.json?provider=openai`);
  expect(await (await fetch(url)).text()).toContain("<h1>AI model shutdowns</h1>");
  program.kill("SIGTERM");
  expect(await program.exit()).toEqual({ code: 0, signal: null });
});

test("serve does not update at its start if the last run was after the last 02:00 UTC", async () => {
  await using built = await builtFeed();
  await using serving = await startServing(built.output, built.pages.args);
  const feed = await fetch(`${await serving.url()}v1/feed.json`);
  expect(JSON.parse(await feed.text()).items).toHaveLength(2 * slugs.length);
  serving.program.kill("SIGINT");
  expect((await serving.program.exit()).code).toBe(0);
  // Files of the build before.
  expect(built.pages.requests).toHaveLength(slugs.length);
});

test("a port in use is reported with exit code 3", async () => {
  await using built = await builtFeed();
  const port = String(built.pages.port);
  await using serving = await startServing(built.output, built.pages.args, port);
  expect((await serving.program.exit()).code).toBe(3);
  expect(serving.program.stderr).toContain(`port ${port} of 127.0.0.1 is in use`);
});

test("a first start without network publishes nothing, and the next start makes up for it", async () => {
  await using folder = await temporaryFolder();
  await using pages = await startPages();
  const output = join(folder.path, "feed");
  const gone = slugs.map((slug) => [slug, notFound] as const);
  for (const [slug, reply] of gone) pages.replies.set(slug, reply);
  {
    await using serving = await startServing(output, pages.args);
    await serving.program.line(/no page could be read, so nothing is published/);
    expect((await fetch(`${await serving.url()}v1/feed.json`)).status).toBe(503);
    serving.program.kill("SIGTERM");
    expect((await serving.program.exit()).code).toBe(0);
  }
  pages.replies.clear();
  pages.replies.set("xai", notFound);
  {
    await using serving = await startServing(output, pages.args);
    await serving.program.line(new RegExp(`${modelCount - 2} models in .*the first run`));
    serving.program.kill("SIGTERM");
    await serving.program.exit();
  }
  pages.replies.clear();
  pages.requests.length = 0;
  await using serving = await startServing(output, pages.args);
  await serving.program.line(new RegExp(`${modelCount} models in .*2 new`));
  expect(pages.requests).toEqual(["xai"]);
});
