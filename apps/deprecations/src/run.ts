import { ConfigError } from "@proj/gateway-protocol";
import { build } from "./build.ts";
import { check } from "./check.ts";
import { parseCommandLine, UsageError } from "./command-line.ts";
import { serve } from "./serve.ts";
import { usage } from "./usage.ts";
import { version } from "./version.ts";

/** Does what a command line asks for. @returns the exit code */
export async function run(args: readonly string[], signal: AbortSignal): Promise<number> {
  try {
    const command = parseCommandLine(args);
    switch (command.kind) {
      case "help":
        process.stdout.write(usage);
        return 0;
      case "version":
        console.log(version());
        return 0;
      case "build":
        return await build(command, signal);
      case "serve":
        return await serve(command, signal);
      case "check":
        return await check(command, signal);
    }
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`deprecations: ${error.message}\n\n${usage}`);
      return 2;
    }
    if (error instanceof ConfigError) {
      console.error(error.message);
      return 2;
    }
    console.error(`deprecations: ${error instanceof Error ? error.message : String(error)}`);
    return 3;
  }
}
