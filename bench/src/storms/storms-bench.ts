import { progress } from "../terminal/progress.ts";
import { balancerStorm } from "./balancer-storm.ts";
import { cancelStorm } from "./cancel-storm.ts";
import { closeStorm } from "./close-storm.ts";
import { engineStorm } from "./engine-storm.ts";
import { killStorm } from "./kill-storm.ts";
import { launcherStorm } from "./launcher-storm.ts";
import { socketStorm } from "./socket-storm.ts";
import type { Storm, StormSizes } from "./storm.ts";
import { StormReport } from "./storm-report.ts";

const STORMS: readonly Storm[] = [
  ...[cancelStorm, killStorm, socketStorm, balancerStorm, closeStorm, launcherStorm, engineStorm],
];

export const STORM_NAMES: readonly string[] = STORMS.map(({ name }) => name);

export interface StormsOptions extends StormSizes {
  /** Empty: all. */
  readonly storms: readonly string[];
}

/** @returns the exit status: 1 if a check failed, or if a storm requested by name cannot run */
export async function runStorms({ storms, ...sizes }: StormsOptions): Promise<number> {
  let status = 0;
  for (const storm of STORMS) {
    if (storms.length > 0 && !storms.includes(storm.name)) continue;
    const missing = storm.reasonMissing();
    if (missing !== null) {
      console.log(`${storm.name}: left out, ${missing}`);
      if (storms.length > 0) status = 1;
      continue;
    }
    progress(`${storm.name} …`);
    const began = performance.now();
    const report = new StormReport();
    await storm.run(sizes, report);
    console.log(report.text(storm.name, (performance.now() - began) / 1_000));
    if (report.failed > 0) status = 1;
  }
  return status;
}
