import { readFileSync } from "node:fs";
import type { Command } from "./command.ts";

/** A program: its table of commands. */
export interface Program {
  readonly name: string;
  /** The `package.json` with its version. */
  readonly manifest: URL;
  /** What it is for. */
  readonly about: string;
  readonly commands: readonly Command[];
  /** The command that runs where none is named; @default a command must be named */
  readonly otherwise?: Command;
}

export function versionOf({ manifest }: Program): string {
  return String(JSON.parse(readFileSync(manifest, "utf8")).version);
}
