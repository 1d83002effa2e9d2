import { readFileSync } from "node:fs";
import { ConfigError, unplacedIssue } from "./config-error.ts";

/** @throws ConfigError the file cannot be read, or is not UTF-8 */
export function readConfigText(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    throw new ConfigError(path, [unplacedIssue(describeFailure(cause))], { cause });
  }
}

function describeFailure(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  if (code === "ENOENT") return "there is no such file";
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "is not UTF-8 text";
  return `cannot be read (${code})`;
}
