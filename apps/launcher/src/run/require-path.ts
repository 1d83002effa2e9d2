import { statSync } from "node:fs";
import { UsageError } from "@proj/program";

/** @throws UsageError there is nothing at the path that an option names */
export function requirePath(option: string, path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw new UsageError(`--${option}: there is no ${path}`);
}
