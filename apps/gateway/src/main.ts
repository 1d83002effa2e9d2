#!/usr/bin/env node
import { ConfigError } from "@proj/gateway-protocol";
import { check } from "./check.ts";
import { parseCommandLine, UsageError, usage } from "./command-line.ts";
import { limitCollections } from "./limit-collections.ts";
import { serve } from "./serve.ts";
import { version } from "./version.ts";

/** @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  try {
    const command = parseCommandLine(args);
    switch (command.kind) {
      case "help":
        process.stdout.write(usage);
        return 0;
      case "version":
        console.log(version());
        return 0;
      case "check":
        return await check(command.config, command.deprecations);
      case "serve":
        return await serve(command.config, command.port);
    }
  } catch (error) {
    if (error instanceof ConfigError) {
      console.error(error.message);
      return 2;
    }
    if (error instanceof UsageError) {
      console.error(`gateway: ${error.message}\n\n${usage}`);
      return 2;
    }
    console.error(`gateway: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

limitCollections();
process.exitCode = await main(process.argv.slice(2));
