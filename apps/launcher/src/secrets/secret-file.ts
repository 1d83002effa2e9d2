import { readFileSync } from "node:fs";
import { UsageError } from "@proj/program";

/**
 * The secret in a file, without a trailing line break. `/dev/fd/N` reads a descriptor.
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

/** The value of an option or its file. The file overrides a value, which may come from a variable. @throws UsageError */
export function secretOf<Name extends string>(
  options: { readonly [Key in Name | `${Name}-file`]: string | null },
  name: Name,
): string | null {
  const file = options[`${name}-file`];
  return file === null ? options[name] : readSecretFile(`${name}-file`, file);
}
