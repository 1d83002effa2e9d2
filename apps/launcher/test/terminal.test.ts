import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isLeftOutWithoutTerminals } from "@proj/test-kit";
import { expect, test } from "vitest";
import { launcherEnvironment, main, startGateway } from "./launcher.ts";

test.skipIf(isLeftOutWithoutTerminals("the launcher on a terminal"))(
  "on a terminal there is a progress bar with failures above it, and then the summary in its place",
  async () => {
    await using gateway = await startGateway();
    const simulations = [{ repeat: 3 }, { simulation_id: "bad", env_params: { fail: 9 } }];
    await gateway.write("s.yaml", JSON.stringify(simulations));
    const args = [...gateway.run("s.yaml", "--concurrency", "2")].map((arg) => `'${arg}'`);
    const command = `"${process.execPath}" --conditions=@proj/source "${main}" ${args.join(" ")}`;
    const { stdout } = await promisify(execFile)("script", ["-qec", command, "/dev/null"], {
      cwd: gateway.folder,
      env: {
        ...process.env,
        ...launcherEnvironment,
        NO_COLOR: undefined,
        CI: undefined,
        TERM: "xterm",
      },
    }).catch((error: { readonly code: number; readonly stdout: string }) => {
      expect(error.code).toBe(1);
      return error;
    });
    const bar = /\[[=-]{20}\] \d\/4 {2}\d running {2}\d failed {2}mean reward \S+ {2}.* left/;
    expect(stdout).toMatch(bar);
    const failure = stdout.indexOf("failed       bad");
    // Printed in red.
    expect(stdout.slice(0, failure).endsWith("\u001b[31m")).toBe(true);
    expect(failure).toBeLessThan(stdout.search(/4 simulations: 3 finished, 1 failed/));
    expect(stdout).not.toMatch(/^started/m);
  },
);
