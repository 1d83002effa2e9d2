import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a line of the shell with everything that it starts. @returns its exit code; null: it was killed at the limit */
export async function runToEnd(
  command: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
  maxMs: number,
): Promise<number | null> {
  const options = { cwd, env: { ...process.env, ...env }, detached: true } as const;
  const child = spawn("/bin/sh", ["-c", command], { ...options, stdio: "ignore" });
  let isKilled = false;
  const kill = (): void => {
    isKilled = true;
    // A group of its own: agents start servers.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const timer = setTimeout(kill, maxMs);
  const [code] = await once(child, "exit");
  clearTimeout(timer);
  return isKilled ? null : (code ?? 1);
}
