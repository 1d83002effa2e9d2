import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { providers } from "@proj/deprecation-feed";
import { runProgram } from "@proj/program";
import { type Listening, listen, startProcess, temporaryFolder } from "@proj/test-kit";
import { vi } from "vitest";
import { deprecations } from "../src/main.ts";

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

export const slugs: readonly string[] = providers.map(({ slug }) => slug);
/** On the pages of all providers: `goodPage` has two. */
export const modelCount: number = 2 * providers.length;

/** The program itself, as a shell would start it. */
export const startProgram = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): ReturnType<typeof startProcess> => startProcess([bin, ...args], { env });

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, which is quicker than to start one. */
export async function runHere(args: readonly string[]): Promise<Ended> {
  const lines = { stdout: "", stderr: "" };
  const collect = (output: keyof typeof lines, end: string) => (text: unknown) => {
    lines[output] += `${text}${end}`;
    return true;
  };
  const spies = [
    vi.spyOn(console, "log").mockImplementation(collect("stdout", "\n")),
    vi.spyOn(console, "error").mockImplementation(collect("stderr", "\n")),
    vi.spyOn(process.stdout, "write").mockImplementation(collect("stdout", "")),
  ];
  try {
    return { code: await runProgram(deprecations, args), ...lines };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** A page that every provider's extractor understands: a model that has ended, and one that goes on for long. */
const goodPage = `# Deprecations

## Deprecated models

| Model ID | Deprecation date | Shutdown date | Recommended replacement |
| --- | --- | --- | --- |
| \`old-1\` | 2019-05-01 | 2020-01-31 | \`new-1\` |
| \`late-1\` | 2019-05-01 | 2099-01-31 | \`new-1\` |
`;

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

export interface Pages extends Listening {
  /** The arguments that make the program read its pages here. */
  readonly args: readonly string[];
  /** By slug; the good page where there is none. */
  readonly replies: Map<string, Reply>;
  readonly requests: string[];
}

/** A server of all providers' pages. */
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
  /** A folder for a test's own files. */
  readonly folder: string;
  /** In which the feed is. */
  readonly output: string;
  readonly pages: Pages;
  /** Another run, with further arguments. */
  readonly build: (...more: readonly string[]) => Promise<Ended>;
  /** How the first run ended. */
  readonly first: Ended;
}

/** A folder with a feed of the good pages. */
export async function builtFeed(): Promise<BuiltFeed> {
  const folder = await temporaryFolder();
  const output = join(folder.path, "feed");
  const pages = await startPages();
  const build = (...more: readonly string[]): Promise<Ended> =>
    runHere(["build", "--out", output, ...pages.args, ...more]);
  const first = await build();
  const dispose = async (): Promise<void> => {
    await pages.close();
    await folder.remove();
  };
  return { folder: folder.path, output, pages, build, first, [Symbol.asyncDispose]: dispose };
}
