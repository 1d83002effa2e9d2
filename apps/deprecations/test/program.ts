import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { providers } from "@proj/deprecation-feed";
import { runProgram } from "@proj/program";
import {
  type CapturedEnd,
  captureOutput,
  type Listening,
  listen,
  startProcess,
  temporaryFolder,
} from "@proj/test-kit";
import { deprecations } from "../src/main.ts";

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

export const slugs: readonly string[] = providers.map(({ slug }) => slug);
/** The number of models on the pages of all providers: `goodPage` has two. */
export const modelCount: number = 2 * providers.length;

/** The program, as a shell would start it. */
export const startProgram = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): ReturnType<typeof startProcess> => startProcess([bin, ...args], { env });

/** Runs a command line in this process. */
export const runHere = (args: readonly string[]): Promise<CapturedEnd> =>
  captureOutput(() => runProgram(deprecations, args));

/** A page that every provider's extractor understands: one model has shut down, one ends far in the future. */
const goodPage = `# Deprecations

## Deprecated models

| Model ID | Deprecation date | Shutdown date | Recommended replacement |
| --- | --- | --- | --- |
| \`old-1\` | 2019-05-01 | 2020-01-31 | \`new-1\` |
| \`late-1\` | 2019-05-01 | 2099-01-31 | \`new-1\` |
`;

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

export interface Pages extends Listening {
  /** Arguments that make the program read its pages from this server. */
  readonly args: readonly string[];
  /** Pages by slug; the good page by default. */
  readonly replies: Map<string, Reply>;
  readonly requests: string[];
}

/** A server with the pages of all providers. */
export async function startPages(): Promise<Pages> {
  const replies = new Map<string, Reply>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const slug = (request.url ?? "").slice(1);
    requests.push(slug);
    const reply = replies.get(slug) ?? (() => void response.end(goodPage));
    reply(request, response);
  });
  const listening = await listen(server);
  const args = slugs.flatMap((slug) => ["--page", `${slug}=${listening.url}/${slug}`]);
  return { ...listening, args, replies, requests };
}

export interface BuiltFeed extends AsyncDisposable {
  /** A folder for the test's own files. */
  readonly folder: string;
  /** The folder with the feed. */
  readonly output: string;
  readonly pages: Pages;
  /** Runs again, with further arguments. */
  readonly build: (...more: readonly string[]) => Promise<CapturedEnd>;
  /** The result of the first run. */
  readonly first: CapturedEnd;
}

/** A folder with a feed of the good pages. */
export async function builtFeed(): Promise<BuiltFeed> {
  const folder = await temporaryFolder();
  const output = join(folder.path, "feed");
  const pages = await startPages();
  const build = (...more: readonly string[]): Promise<CapturedEnd> =>
    runHere(["build", "--out", output, ...pages.args, ...more]);
  const first = await build();
  const dispose = async (): Promise<void> => {
    await pages.close();
    await folder.remove();
  };
  return { folder: folder.path, output, pages, build, first, [Symbol.asyncDispose]: dispose };
}
