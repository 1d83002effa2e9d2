import { parseArgs } from "node:util";
import { defaultOutput, defaultPort } from "./usage.ts";

export interface BuildCommand {
  readonly kind: "build";
  readonly out: string;
  readonly url: string | null;
  readonly state: string | null;
  readonly accept: readonly string[];
  readonly pages: ReadonlyMap<string, string>;
  readonly json: boolean;
}

export interface ServeCommand {
  readonly kind: "serve";
  readonly out: string;
  readonly url: string | null;
  readonly host: string;
  readonly port: number;
  readonly pages: ReadonlyMap<string, string>;
}

export interface CheckCommand {
  readonly kind: "check";
  readonly models: readonly string[];
  readonly feed: string;
  readonly configs: readonly string[];
  readonly sources: readonly string[];
  readonly withinDays: number;
  readonly providers: readonly string[];
  readonly format: "text" | "json" | "github";
}

export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | BuildCommand
  | ServeCommand
  | CheckCommand;

/** What was asked for is not possible; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** @throws UsageError */
export function parseCommandLine(args: readonly string[]): Command {
  // pnpm passes on the separator that keeps options from itself.
  const given = args.filter((arg, index) => arg !== "--" || index > 0);
  const [command, ...rest] = given;
  if (given.some((arg) => arg === "-h" || arg === "--help")) return { kind: "help" };
  if (given.some((arg) => arg === "-v" || arg === "--version")) return { kind: "version" };
  switch (command) {
    case "build":
      return parseBuild(rest);
    case "serve":
      return parseServe(rest);
    case "check":
      return parseCheck(rest);
    case undefined:
      throw new UsageError("say what to do: build, serve or check");
    default:
      throw new UsageError(`unknown command '${command}'`);
  }
}

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;
const shared = { out: { ...text, short: "o" }, url: text, page: texts } as const;

function parseBuild(args: readonly string[]): BuildCommand {
  const options = { ...shared, state: text, accept: texts, json: flag };
  const { values } = refuseWrong(() => parseArgs({ args: [...args], options }));
  return {
    kind: "build",
    out: values.out ?? defaultOutput,
    url: urlOf(values.url),
    state: values.state ?? null,
    accept: values.accept ?? [],
    pages: pagesOf(values.page),
    json: values.json ?? false,
  };
}

function parseServe(args: readonly string[]): ServeCommand {
  const options = { ...shared, host: text, port: { ...text, short: "p" } } as const;
  const { values } = refuseWrong(() => parseArgs({ args: [...args], options }));
  return {
    kind: "serve",
    out: values.out ?? defaultOutput,
    url: urlOf(values.url),
    host: values.host ?? "127.0.0.1",
    port: numberOf("--port", values.port, 65_535) ?? defaultPort,
    pages: pagesOf(values.page),
  };
}

function parseCheck(args: readonly string[]): CheckCommand {
  const options = {
    feed: { ...text, short: "f" },
    config: { ...texts, short: "c" },
    source: { ...texts, short: "s" },
    within: { ...text, short: "w" },
    provider: texts,
    format: text,
    json: flag,
  } as const;
  const { values, positionals } = refuseWrong(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  );
  const { config: configs = [], source: sources = [] } = values;
  if (positionals.length + configs.length + sources.length === 0)
    throw new UsageError("check needs models, --config FILE or --source PATH");
  return {
    kind: "check",
    models: positionals,
    feed: values.feed ?? `${defaultOutput}/v1/feed.json`,
    configs,
    sources,
    withinDays: numberOf("--within", values.within, 36_500) ?? 30,
    providers: values.provider ?? [],
    format: values.json ? "json" : formatOf(values.format),
  };
}

function refuseWrong<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function numberOf(name: string, given: string | undefined, most: number): number | null {
  if (given === undefined) return null;
  if (/^\d{1,5}$/.test(given) && Number(given) <= most) return Number(given);
  throw new UsageError(`${name} must be a number from 0 to ${most}, not '${given}'`);
}

function formatOf(given = "text"): CheckCommand["format"] {
  if (given === "text" || given === "json" || given === "github") return given;
  throw new UsageError(`--format must be text, json or github, not '${given}'`);
}

function urlOf(given: string | undefined): string | null {
  if (given === undefined) return null;
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw new UsageError(`--url must be an http(s) address without query, not '${given}'`);
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}

function pagesOf(given: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    given.map((entry) => {
      const [, slug = "", url = ""] = /^([a-z0-9-]+)=(https?:\/\/.+)$/.exec(entry) ?? [];
      if (slug !== "" && URL.canParse(url)) return [slug, url];
      throw new UsageError(`--page must be of the form SLUG=URL, not '${entry}'`);
    }),
  );
}
