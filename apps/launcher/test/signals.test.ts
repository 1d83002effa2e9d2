import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { listen, waitFor } from "@proj/test-kit";
import { expect, test, vi } from "vitest";
import { type Gateway, launch, startGateway, startLauncher } from "./launcher.ts";

// Runs several programs one after the other, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const job = ["--job-id", "job-1", "--concurrency", "1"];
/** The agent waits for a file beside the simulations. */
const here = ["--runtime-cwd", "."];

/** Two simulations; the first waits for a file `go`. */
async function startWaiting(gateway: Gateway) {
  await gateway.write(
    "s.yaml",
    "- { simulation_id: a, env_params: { wait: true } }\n- { simulation_id: b }",
  );
  const launcher = startLauncher(gateway.run("s.yaml", ...job, ...here), { cwd: gateway.folder });
  const running = join(gateway.folder, "running-a");
  await waitFor(() => existsSync(running), "the agent");
  const readPid = (): number => Number(readFileSync(running, "utf8"));
  await waitFor(() => readPid() > 0, "its process id");
  return { launcher, agent: readPid() };
}

test("after a first signal running simulations go on to their end, and the job can continue later", async () => {
  await using gateway = await startGateway();
  const { launcher } = await startWaiting(gateway);
  await using _ = launcher;
  launcher.kill("SIGINT");
  await launcher.line(/^SIGINT: no more simulations start; .*\(again: stop now\)$/);
  await gateway.write("go", "");
  expect(await launcher.exit()).toEqual({ code: 130, signal: null });
  expect(launcher.stdout).toMatch(/^finished {5}a {2}reward 1/m);
  expect(launcher.stdout).not.toMatch(/^started {6}b/m);
  expect(launcher.stdout).toContain("2 simulations: 1 finished, 0 failed, 1 pending");
  expect(launcher.stdout).toContain("the same command with --job-id job-1");

  const later = await launch(gateway.run("s.yaml", ...job, ...here), { cwd: gateway.folder });
  expect(later.code).toBe(0);
  expect(later.stdout).not.toMatch(/^started {6}a/m);
  expect(later.stdout).toMatch(/^finished {5}b/m);
});

test("a second signal gives running simulations back: agents end, and they can start again at once", async () => {
  await using gateway = await startGateway();
  const { launcher, agent } = await startWaiting(gateway);
  await using _ = launcher;
  launcher.kill("SIGTERM");
  await launcher.line(/^SIGTERM: no more simulations start/);
  launcher.kill("SIGTERM");
  expect(await launcher.exit()).toEqual({ code: 130, signal: null });
  expect(launcher.stdout).toMatch(/^interrupted {2}a {2}/m);
  expect(hasEnded(agent)).toBe(true);
  expect(launcher.stdout).toContain("0 finished, 0 failed, 2 pending, 1 attempt interrupted");

  await gateway.write("go", "");
  const later = await launch(gateway.run("s.yaml", ...job, ...here), { cwd: gateway.folder });
  expect(later.code).toBe(0);
  expect(later.stdout).toMatch(/^started {6}a \(attempt 2\)/m);
});

test("a signal before anything runs ends the program at once", async () => {
  await using gateway = await startGateway();
  await gateway.write("s.yaml", "- {}");
  const silent = createServer();
  const asked = once(silent, "connection");
  await using listening = await listen(silent);
  const args = gateway.run("s.yaml", "--gateway-base-url", listening.url);
  await using launcher = startLauncher(args, { cwd: gateway.folder });
  await asked;
  launcher.kill("SIGINT");
  expect(await launcher.exit()).toEqual({ code: 130, signal: null });
  expect(launcher.stdout).toBe("interrupted\n");
});

/** Also true for a zombie, whose exit status nobody has read, as when its parent is gone. */
function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return false;
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}
