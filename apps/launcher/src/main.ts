#!/usr/bin/env node
import { maskUrlsInText } from "@proj/gateway-protocol";
import { PreflightError } from "@proj/launcher-client";
import { parseCommandLine } from "./command-line/parse-command-line.ts";
import { usage } from "./command-line/usage.ts";
import { UsageError } from "./command-line/usage-error.ts";
import { exportSteps } from "./export/export.ts";
import { run } from "./run/run.ts";
import { show } from "./show/show.ts";
import { status } from "./status/status.ts";
import { writeText } from "./text/write-text.ts";
import { version } from "./version.ts";

/** @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  try {
    const command = parseCommandLine(args, process.env);
    switch (command.kind) {
      case "help":
        await writeText(process.stdout, [usage(command.of)]);
        return 0;
      case "version":
        await writeText(process.stdout, [`${version()}\n`]);
        return 0;
      case "run":
        return await run(command.options);
      case "status":
        return await status(command.options);
      case "show":
        return await show(command.options);
      case "export":
        return await exportSteps(command.options);
    }
  } catch (error) {
    if (error instanceof PreflightError) {
      for (const { message } of error.errors) console.error(`launcher: ${message}`);
      return 2;
    }
    if (error instanceof UsageError) {
      console.error(
        `launcher: ${error.message}\nlauncher --help and launcher COMMAND --help say more.`,
      );
      return 2;
    }
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`launcher: ${maskUrlsInText(reason)}`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
