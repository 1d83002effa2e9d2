/** A child process of the bench: runs one command at a time. */
import type { LoadCommand, LoadReply, LoadResult, PathsResult } from "./load-protocol.ts";
import { loopOverPaths } from "./loop-over-paths.ts";
import { runRound } from "./round.ts";
import { runStreamsAtOnce } from "./streams-at-once.ts";

let stop: (() => PathsResult) | null = null;

async function run(command: LoadCommand): Promise<LoadResult> {
  switch (command.kind) {
    case "round":
      return runRound(command);
    case "streams":
      return runStreamsAtOnce(command);
    case "paths":
      stop = await loopOverPaths(command);
      return null;
    case "stop":
      return stop?.() ?? null;
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
process.send?.({ ready: true });
