import { parseArgs } from "node:util";

export interface ServeCommand {
  readonly kind: "serve";
  /** Null: the data are made up. */
  readonly config: string | null;
  readonly host: string | null;
  readonly port: number | null;
}

export interface ImportCommand {
  readonly kind: "import";
  readonly config: string;
  readonly file: string;
  /** Null: as the file's name says. */
  readonly format: "csv" | "jsonl" | null;
  readonly onError: "refuse" | "skip";
  readonly isContent: boolean;
  readonly json: boolean;
}

export interface SnapshotCommand {
  readonly kind: "snapshot";
  readonly config: string;
  readonly json: boolean;
}

export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | ServeCommand
  | ImportCommand
  | SnapshotCommand;

/** What was asked for is not possible; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const config = { ...text, short: "c" } as const;

/** @throws UsageError */
export function parseCommandLine(args: readonly string[]): Command {
  // pnpm passes on the separator that keeps options from itself.
  const given = args.filter((arg, index) => arg !== "--" || index > 0);
  if (given.some((arg) => arg === "-h" || arg === "--help")) return { kind: "help" };
  if (given.some((arg) => arg === "-v" || arg === "--version")) return { kind: "version" };
  const [first = "serve", ...rest] = given;
  if (first.startsWith("-")) return parseServe(given);
  switch (first) {
    case "serve":
      return parseServe(rest);
    case "import":
      return parseImport(rest);
    case "snapshot":
      return parseSnapshot(rest);
    default:
      throw new UsageError(`unknown command '${first}'; there are serve, import and snapshot`);
  }
}

function parseServe(args: readonly string[]): ServeCommand {
  const options = { config, host: text, port: { ...text, short: "p" } } as const;
  const { values } = refuseWrong(() => parseArgs({ args: [...args], options }));
  return {
    kind: "serve",
    config: values.config ?? null,
    host: values.host ?? null,
    port: portOf(values.port),
  };
}

function parseImport(args: readonly string[]): ImportCommand {
  const options = { config, format: text, "on-error": text, content: flag, json: flag } as const;
  const { values, positionals } = refuseWrong(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  );
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError(`import takes one file, not ${positionals.length}`);
  const { "on-error": onError, content: isContent = false } = values;
  if (isContent && onError !== undefined)
    throw new UsageError(
      "--on-error does not go with --content: such a file is taken whole or not",
    );
  return {
    kind: "import",
    config: requireConfig("import", values.config),
    file,
    format: oneOf("--format", values.format, ["csv", "jsonl"] as const) ?? null,
    onError: oneOf("--on-error", onError, ["refuse", "skip"] as const) ?? "refuse",
    isContent,
    json: values.json ?? false,
  };
}

function parseSnapshot(args: readonly string[]): SnapshotCommand {
  const { values } = refuseWrong(() =>
    parseArgs({ args: [...args], options: { config, json: flag } }),
  );
  return {
    kind: "snapshot",
    config: requireConfig("snapshot", values.config),
    json: values.json ?? false,
  };
}

function refuseWrong<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function requireConfig(command: string, given: string | undefined): string {
  if (given !== undefined) return given;
  throw new UsageError(`${command} needs --config FILE`);
}

function oneOf<T extends string>(
  name: string,
  given: string | undefined,
  known: readonly T[],
): T | undefined {
  const value = known.find((word) => word === given);
  if (value !== undefined || given === undefined) return value;
  throw new UsageError(`${name} must be ${known.join(" or ")}, not '${given}'`);
}

function portOf(given: string | undefined): number | null {
  if (given === undefined) return null;
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new UsageError(`--port must be a number from 0 to 65535, not '${given}'`);
}
