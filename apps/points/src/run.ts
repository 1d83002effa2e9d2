import { parseCommandLine, UsageError } from "./command-line.ts";
import { importFile } from "./import-file.ts";
import { ConfigError } from "./read-settings.ts";
import { serve } from "./serve.ts";
import { snapshot } from "./snapshot.ts";
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
      case "serve":
        return await serve(command, signal);
      case "import":
        return await importFile(command, signal);
      case "snapshot":
        return await snapshot(command, signal);
    }
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`points: ${error.message}\n\n${usage}`);
      return 2;
    }
    console.error(`points: ${error instanceof Error ? error.message : String(error)}`);
    return error instanceof ConfigError ? 2 : 3;
  }
}
