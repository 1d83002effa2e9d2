/** A child process of the bench: runs one command at a time. */
import { setPriority } from "node:os";
import type { LoadCommand, LoadReply, LoadResult } from "./load-protocol.ts";
import { runProbe } from "./probe.ts";
import { runRound } from "./round.ts";
import { runStreamsAtOnce } from "./streams-at-once.ts";

function run(command: LoadCommand): Promise<LoadResult> {
  switch (command.kind) {
    case "round":
      return runRound(command);
    case "streams":
      return runStreamsAtOnce(command);
    case "probe":
      return runProbe(command);
  }
}

function reply(message: LoadReply): void {
  process.send?.(message);
}

process.on("message", (message) => {
  run(message as LoadCommand).then(
    (result) => reply({ result }),
    (error: unknown) => reply({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
process.on("disconnect", () => process.exit());
if (process.argv.includes("--urgent")) {
  try {
    setPriority(-15);
  } catch {
    // Without the permission the prober shares its core like other processes.
  }
}
process.send?.({ ready: true });
