/** A child process of the bench: requests users and pages in a closed loop between its start and stop commands. */
import { loopOverPaths } from "../load/loop-over-paths.ts";
import type { LoadCommand, PointsRound } from "./points-protocol.ts";
import { PAGE_SIZE, pagePaths } from "./requests.ts";

const PATHS = 20_000;
/** Warm-up before the measurement. */
const RAMP_MS = 1000;
/** A record has at least its members' names and an address of 42 characters. */
const LEAST_BODY_BYTES = PAGE_SIZE * 100;

let stop: (() => PointsRound) | null = null;
process.on("message", async (message) => {
  const command = message as LoadCommand;
  if (command.kind === "start") {
    const { port, pid, connections, addresses } = command;
    stop = await loopOverPaths({
      ...{ port, pid, connections, rampMs: RAMP_MS, paths: pagePaths(PATHS, addresses) },
      isRight: (bodyBytes) => bodyBytes >= LEAST_BODY_BYTES,
    });
    process.send?.({ started: true });
  } else {
    process.send?.({ round: stop?.() });
  }
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });
