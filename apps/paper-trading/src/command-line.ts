import { parseArgs } from "node:util";

export const usage = `Usage: paper-trading [--config FILE] [--port PORT]

A trading server with paper money, for bots that speak the trading interface.

Options
  -c, --config FILE  YAML configuration; without one: an account with 50,000 dollars, a random walk
                     that never closes, a new token, and nothing kept
      --port PORT    listen here instead of where the configuration says; 0: any free port
  -h, --help         this text
  -v, --version      the version

Exit codes
  0 ended in order, 1 failed, 2 the command line or the configuration is wrong
`;

export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "serve"; readonly config: string | null; readonly port: number | null };

/** What was asked for is not possible; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** @throws UsageError */
export function parseCommandLine(args: readonly string[]): Command {
  const values = parse(args);
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  return { kind: "serve", config: values.config ?? null, port: portOf(values.port) };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      // pnpm passes on the separator that keeps options from itself.
      args: args.filter((arg, index) => arg !== "--" || index > 0),
      options: {
        config: { type: "string", short: "c" },
        port: { type: "string" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "v" },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function portOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port must be a number from 0 to 65535, not '${text}'`);
}
