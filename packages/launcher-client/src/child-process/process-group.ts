import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { hasOnlyZombies } from "./zombies.ts";

/** Windows has no process groups: there, the tree below a process is found by the system's own tool. */
export const hasProcessGroups: boolean = process.platform !== "win32";

const shortestPauseMs = 5;
const longestPauseMs = 500;
/** How long a process may take to be gone after SIGKILL, which it can neither catch nor refuse. */
const killMs = 2_000;

/** A process that leads a group, and all that it started in it. */
export class ProcessGroup {
  readonly #pid: number;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /**
   * Asks the group to end, kills what is left of it after `graceMs`, and resolves when it is gone (or
   * when not even that helped for two seconds).
   */
  async end(graceMs: number): Promise<void> {
    this.#signal("SIGTERM");
    if (await this.#isGone(graceMs)) return;
    this.#signal("SIGKILL");
    await this.#isGone(killMs);
  }

  /** Kills what is left of the group after its leader; on Windows nobody knows then what that is. */
  killRest(): void {
    if (hasProcessGroups) this.#signal("SIGKILL");
  }

  async #isGone(timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await sleep(Math.max(0, Math.min(pauseMs, deadline - performance.now())));
      if (!this.#signal(0) || (await hasOnlyZombies(this.#pid))) return true;
      if (performance.now() >= deadline) return false;
    }
  }

  /** @returns whether there was a process to signal, and one that is ours */
  #signal(signal: NodeJS.Signals | 0): boolean {
    if (!hasProcessGroups && signal !== 0) return endTree(this.#pid);
    try {
      return process.kill(hasProcessGroups ? -this.#pid : this.#pid, signal);
    } catch {
      return false;
    }
  }
}

/** Without its `/f` the tool only posts a message, which programs without a window never see. */
function endTree(pid: number): boolean {
  const tool = spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
  tool.once("error", () => {});
  return true;
}
