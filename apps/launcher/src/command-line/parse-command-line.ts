import { parseArgs } from "node:util";
import { closestNames } from "@proj/gateway-protocol";
import {
  type Command,
  type CommandName,
  commandNames,
  type ExportOptions,
  type ShowOptions,
  type StatusOptions,
} from "./command.ts";
import { defaultDbPath, OptionValues } from "./option-values.ts";
import { parseRun } from "./parse-run.ts";
import { UsageError } from "./usage-error.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/** @throws UsageError */
export function parseCommandLine(
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  // pnpm passes on the separator that keeps options from itself.
  const [first, ...args] = given[0] === "--" ? given.slice(1) : given;
  if (first === "-v" || first === "--version") return { kind: "version" };
  if (first === "-h" || first === "--help") return { kind: "help", of: null };
  const kind = commandOf(first);
  if (args.some((arg) => arg === "-h" || arg === "--help")) return { kind: "help", of: kind };
  try {
    switch (kind) {
      case "run":
        return { kind, options: parseRun(args, environment) };
      case "status":
        return { kind, options: parseStatus(args) };
      case "show":
        return { kind, options: parseShow(args) };
      case "export":
        return { kind, options: parseExport(args) };
    }
  } catch (error) {
    // What parseArgs throws.
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message);
  }
}

function commandOf(name: string | undefined): CommandName {
  const found = commandNames.find((command) => command === name);
  if (found !== undefined) return found;
  if (name === undefined) throw new UsageError(`say what to do: ${commandNames.join(", ")}`);
  const [meant] = closestNames(name, commandNames, 1);
  const hint = meant === undefined ? "" : `; did you mean '${meant}'?`;
  throw new UsageError(`unknown command '${name}'${hint}`);
}

function parseStatus(args: readonly string[]): StatusOptions {
  const options = { "db-path": text, "job-id": text, json: flag };
  const values = new OptionValues(parseArgs({ args: [...args], options }).values);
  const read = {
    db_path: values.text("db-path") ?? defaultDbPath,
    job_id: values.text("job-id"),
    json: values.isSet("json"),
  };
  values.finish();
  return read;
}

function parseShow(args: readonly string[]): ShowOptions {
  const options = { "db-path": text, full: flag, json: flag };
  const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  const values = new OptionValues(parsed.values);
  const [session_id = ""] = parsed.positionals;
  if (parsed.positionals.length !== 1) values.refuse("show needs one SESSION");
  const db_path = values.text("db-path") ?? defaultDbPath;
  values.finish();
  return { db_path, session_id, full: values.isSet("full"), json: values.isSet("json") };
}

function parseExport(args: readonly string[]): ExportOptions {
  const options = { "db-path": text, "job-id": text, output: { ...text, short: "o" } };
  const values = new OptionValues(parseArgs({ args: [...args], options }).values);
  const read = {
    db_path: values.text("db-path") ?? defaultDbPath,
    job_id: values.text("job-id"),
    output: values.text("output"),
  };
  values.finish();
  return read;
}
