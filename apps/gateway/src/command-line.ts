import { parseArgs } from "node:util";

export const usage = `Usage: gateway [--config FILE] [--port PORT]
       gateway check --config FILE [--deprecations FEED]

A model gateway that binds chat completions and responses to sessions and records every step.

Commands
  (none)             serve; without --config with a built-in model named 'demo'
  check              validate a configuration and print what would run, without secrets

Options
  -c, --config FILE  YAML configuration
  -d, --deprecations FEED  with check: say which models of the configuration are shut down or will be;
                     a URL, a file, or a folder that 'deprecations build' has written
      --port PORT    listen here instead of where the configuration says; 0: any free port
  -h, --help         this text
  -v, --version      the version

Environment
  SERVICE_GATEWAY_LOG_PATH  the service log's file (default: logs/gateway.log)

Exit codes
  0 ended in order, 1 failed, or a model ends within deprecations.warn_days, 2 the command line or the configuration is wrong
`;

export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "check"; readonly config: string; readonly deprecations: string | null }
  | { readonly kind: "serve"; readonly config: string | null; readonly port: number | null };

/** What was asked for is not possible; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** @throws UsageError */
export function parseCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  const [command, ...rest] = positionals;
  if (rest.length > 0 || (command !== undefined && command !== "check"))
    throw new UsageError(`unknown command '${positionals.join(" ")}'`);
  if (command === "check") {
    if (values.config === undefined) throw new UsageError("check needs --config FILE");
    return { kind: "check", config: values.config, deprecations: values.deprecations ?? null };
  }
  if (values.deprecations !== undefined)
    throw new UsageError("--deprecations goes with check; serving reads deprecations.feed");
  return { kind: "serve", config: values.config ?? null, port: portOf(values.port) };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      // pnpm passes on the separator that keeps options from itself.
      args: args.filter((arg, index) => arg !== "--" || index > 0),
      allowPositionals: true,
      options: {
        config: { type: "string", short: "c" },
        port: { type: "string" },
        deprecations: { type: "string", short: "d" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "v" },
      },
    });
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
