import { type ParseArgsConfig, parseArgs } from "node:util";
import type { Options } from "./command.ts";

/** Every command has `--help` and `--version`. */
const everywhere = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

export const everywhereNames: readonly string[] = Object.keys(everywhere);

export interface OptionToken {
  readonly kind: "option";
  readonly name: string;
  /** As typed: `--port`, `-p`. */
  readonly rawName: string;
  readonly value: string | undefined;
  /** Whether option and value were typed as one word: `--port=80`, `-p80`. */
  readonly isInline: boolean;
}

export interface WordToken {
  readonly kind: "word";
  readonly value: string;
  /** Its position in the command line. */
  readonly index: number;
}

/** The options and words of a command line, in order. */
export function tokensOf(
  args: readonly string[],
  options: Options,
): readonly (OptionToken | WordToken)[] {
  const known: ParseArgsConfig["options"] = { ...everywhere };
  for (const [name, { value, short }] of Object.entries(options)) {
    const type = value === null ? "boolean" : "string";
    known[name] = short === null ? { type } : { type, short };
  }
  // Not strict, so that all errors are reported at once and in our own words.
  const { tokens } = parseArgs({
    args: [...args],
    options: known,
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  return tokens.flatMap((token): (OptionToken | WordToken)[] => {
    if (token.kind === "positional")
      return [{ kind: "word", value: token.value, index: token.index }];
    if (token.kind !== "option") return [];
    const { name, rawName, value, inlineValue = false } = token;
    return [{ kind: "option", name, rawName, value, isInline: inlineValue }];
  });
}
