import { statSync } from "node:fs";
import { UsageError } from "@proj/program";

/** @throws UsageError the path that an option names does not exist */
export function requirePath(option: string, path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw new UsageError(`--${option}: there is no ${path}`);
}
