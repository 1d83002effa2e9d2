import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  compileCache,
  type RunningProcess,
  type StartProcessOptions,
  startBundled,
  startProcess,
} from "@proj/test-kit";

const main = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

/** The program, started as a shell would start it. */
export function startGatewayProcess(
  args: readonly string[],
  options: StartProcessOptions & { readonly cwd: string },
): RunningProcess {
  return startBundled(main, args, options);
}

/**
 * V8 takes compiled code back only with the flags that it was compiled with, and this program sets some once it
 * runs: in one folder, it and other programs would replace each other's code at every start.
 */
const ownCache = join(compileCache, "gateway");

/** Likewise from its sources, as in a working copy. */
export function startGatewaySources(
  args: readonly string[],
  options: StartProcessOptions & { readonly cwd: string },
): RunningProcess {
  return startProcess([main, ...args], {
    ...options,
    env: { NODE_COMPILE_CACHE: ownCache, ...options.env },
  });
}
