/** A child process of the bench: sends this measurement's paths in a closed loop, one round at a time. */
import { setTimeout as delay } from "node:timers/promises";
import { loopOverPaths } from "../load/loop-over-paths.ts";
import { hitPaths } from "./routes.ts";
import type { RoutingRound, RoutingRoundSpec } from "./routing-round.ts";

const PATHS = 240;
/** Time before the measured window. */
const RAMP_MS = 100;

async function runRound({ windowMs, ...server }: RoutingRoundSpec): Promise<RoutingRound> {
  let bodyBytes = -1;
  const stop = await loopOverPaths({
    ...{ ...server, rampMs: RAMP_MS, paths: hitPaths(PATHS) },
    isRight: (bytes) => {
      if (bodyBytes < 0) bodyBytes = bytes;
      return bytes === bodyBytes;
    },
  });
  await delay(windowMs);
  return stop();
}

process.on("message", async (message) => {
  process.send?.({ round: await runRound(message as RoutingRoundSpec) });
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });
