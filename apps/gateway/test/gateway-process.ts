import { fileURLToPath } from "node:url";
import { startProcess } from "@proj/test-kit";

const main = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

/** The program, started as a shell would start it. */
export function startGatewayProcess(
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): ReturnType<typeof startProcess> {
  return startProcess([main, ...args], options);
}
