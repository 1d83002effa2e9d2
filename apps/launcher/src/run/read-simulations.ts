import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { text } from "node:stream/consumers";
import { exitCode, ProgramError } from "@proj/program";
import type { NewSimulation } from "@proj/session-store";
import { readJsonLines } from "./json-lines.ts";
import { toSimulations } from "./simulation-entries.ts";
import { readYamlList } from "./yaml-list.ts";

/** A value as read from a file, unchecked. */
export interface Entry {
  /** For messages: `line 3`. */
  readonly where: string;
  readonly value: unknown;
}

export interface Entries {
  readonly entries: readonly Entry[];
  /** Entries that could not be read, each with its place. */
  readonly problems: readonly string[];
}

const maxShown = 20;

/**
 * The simulations of a file, in order.
 * @param path `-`: standard input
 * @throws ProgramError lists everything that is wrong in it
 */
export async function readSimulations(path: string): Promise<readonly NewSimulation[]> {
  const isJsonLines = path === "-" || [".jsonl", ".ndjson"].includes(extname(path).toLowerCase());
  const content = await readContent(path);
  const { entries, problems } = isJsonLines ? readJsonLines(content) : readYamlList(content);
  const { simulations, problems: more } = toSimulations(entries);
  const all = [...problems, ...more];
  const name = path === "-" ? "standard input" : path;
  if (all.length > 0) {
    const rest = all.length > maxShown ? [`and ${all.length - maxShown} more`] : [];
    const message = [`${name}:`, ...all.slice(0, maxShown), ...rest].join("\n  ");
    throw new ProgramError(message, exitCode.usage);
  }
  if (simulations.length === 0)
    throw new ProgramError(`${name} holds no simulations`, exitCode.usage);
  return simulations;
}

async function readContent(path: string): Promise<string> {
  try {
    return path === "-" ? await text(process.stdin) : await readFile(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProgramError(`the simulations cannot be read: ${reason}`, exitCode.usage);
  }
}
