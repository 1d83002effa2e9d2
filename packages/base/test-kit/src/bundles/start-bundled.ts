import { dirname, join } from "node:path";
import { type RunningProcess, type StartProcessOptions, startProcess } from "../start-process.ts";
import { testBundles } from "./test-bundles.ts";

/**
 * Starts a program from the bundle of its sources that was made for this run of tests.
 * @param program the path of its source, which the Vitest configuration names
 * @param args the program's own
 * @throws Error the Vitest configuration does not name the program
 */
export function startBundled(
  program: string,
  args: readonly string[],
  options: StartProcessOptions = {},
): RunningProcess {
  const bundle = testBundles.get(program);
  if (bundle === undefined) throw new Error(`The Vitest configuration does not bundle ${program}.`);
  // A folder for this program alone: V8 takes compiled code back only with the flags that it was compiled with,
  // and the gateway sets some once it runs.
  const NODE_COMPILE_CACHE = join(dirname(bundle), "compiled");
  return startProcess([bundle, ...args], {
    ...options,
    env: { NODE_COMPILE_CACHE, ...options.env },
  });
}
