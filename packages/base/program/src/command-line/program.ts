import { readFileSync } from "node:fs";
import type { Command } from "./command.ts";

/** Imports a command's module, so that a program loads only the command that is called. */
export type LoadCommand = () => Promise<Command>;

/** A program: its table of commands. */
export interface Program {
  readonly name: string;
  /** The `package.json` with its version. */
  readonly manifest: URL;
  /** What the program is for. */
  readonly about: string;
  /** By name, in the order of its help. */
  readonly commands: Readonly<Record<string, LoadCommand>>;
  /** The command that runs if none is named; @default a command must be named */
  readonly otherwise?: string;
}

/** A program with all its commands, as help and shell completion need it. */
export interface LoadedProgram {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly Command[];
  /** The command that runs if none is named; null: a command must be named. */
  readonly otherwise: Command | null;
}

export function versionOf({ manifest }: Program): string {
  return String(JSON.parse(readFileSync(manifest, "utf8")).version);
}

/** @returns null: the program has no such command. @throws Error its table has it under another name */
export async function loadCommand({ commands }: Program, name: string): Promise<Command | null> {
  const command = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined;
  if (command === undefined) return null;
  if (command.name !== name)
    throw new Error(`the table of commands has '${command.name}' as '${name}'`);
  return command;
}

export async function loadProgram(program: Program): Promise<LoadedProgram> {
  const { name, about, commands, otherwise = null } = program;
  const loaded = await Promise.all(Object.keys(commands).map((each) => loadCommand(program, each)));
  return {
    name,
    about,
    commands: loaded.filter((command) => command !== null),
    otherwise: loaded.find((command) => command?.name === otherwise) ?? null,
  };
}
