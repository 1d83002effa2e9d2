#!/usr/bin/env node
import { BrokerConfigError } from "@proj/paper-broker";
import { parseCommandLine, UsageError, usage } from "./command-line.ts";
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
      case "serve":
        return await serve(command.config, command.port);
    }
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`paper-trading: ${error.message}\n\n${usage}`);
      return 2;
    }
    const message = error instanceof Error ? error.message : String(error);
    console.error(`paper-trading: ${message}`);
    // A value of the configuration that makes no sense is a TypeError.
    return error instanceof BrokerConfigError || error instanceof TypeError ? 2 : 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
