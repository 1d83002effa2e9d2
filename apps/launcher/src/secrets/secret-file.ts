import { readFileSync } from "node:fs";
import { UsageError } from "@proj/program";

/**
 * The secret in a file, without the line break at its end. `/dev/fd/N` reads a descriptor.
 * @throws UsageError it cannot be read, or is empty
 */
export function readSecretFile(option: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--${option} cannot be read: ${reason}`);
  }
  const secret = text.replace(/\r?\n$/, "");
  if (secret.trim() === "") throw new UsageError(`--${option}: ${path} is empty`);
  return secret;
}

/** What an option or its file gives: the file goes before a value, which may be a variable's. @throws UsageError */
export function secretOf<Name extends string>(
  options: { readonly [Key in Name | `${Name}-file`]: string | null },
  name: Name,
): string | null {
  const file = options[`${name}-file`];
  return file === null ? options[name] : readSecretFile(`${name}-file`, file);
}
