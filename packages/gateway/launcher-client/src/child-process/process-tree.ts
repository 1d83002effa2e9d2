import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { markedProcesses } from "./command-mark.ts";
import { hasOnlyZombies } from "./zombies.ts";

/** Windows has no process groups: there, the system's own tool finds the tree below a process. */
export const hasProcessGroups: boolean = process.platform !== "win32";

const minPauseMs = 5;
const maxPauseMs = 500;
/** How long a process may take to disappear after SIGKILL, which it can neither catch nor ignore. */
const killMs = 2_000;

/** Process group leaders, everything in their groups, and processes that left the groups but kept the mark. */
export class ProcessTree {
  readonly #leaders: readonly number[];
  readonly #mark: string;

  /** @param mark the prefix of `markVariable` in all of them */
  constructor(leaders: readonly number[], mark: string) {
    this.#leaders = leaders;
    this.#mark = mark;
  }

  /**
   * Asks the tree to end, kills what is left after `graceMs`, and resolves when everything is gone, or two seconds
   * after the first kill at the latest.
   */
  async end(graceMs: number): Promise<void> {
    await this.#signal("SIGTERM");
    if (await this.#isGone(graceMs)) return;
    await this.#killUntilGone();
  }

  /**
   * Kills what is left of the tree after its leaders have ended. Does nothing on Windows, where the rest can no longer
   * be found.
   */
  async killRest(): Promise<void> {
    if (!hasProcessGroups) return;
    this.#signalGroups("SIGKILL");
    if ((await markedProcesses(this.#mark)).length > 0) await this.#killUntilGone();
  }

  /** Repeats, because a process may start another one before it is killed. */
  async #killUntilGone(): Promise<void> {
    const deadline = performance.now() + killMs;
    do {
      await this.#signal("SIGKILL");
    } while (!(await this.#isGone(minPauseMs)) && performance.now() < deadline);
  }

  async #isGone(timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    for (let pauseMs = minPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      await sleep(Math.max(0, Math.min(pauseMs, deadline - performance.now())));
      if ((await this.#groupsAreGone()) && (await markedProcesses(this.#mark)).length === 0)
        return true;
      if (performance.now() >= deadline) return false;
    }
  }

  async #groupsAreGone(): Promise<boolean> {
    for (const leader of this.#leaders) {
      if (signalGroup(leader, 0) && !(await hasOnlyZombies(leader))) return false;
    }
    return true;
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    this.#signalGroups(signal);
    for (const pid of await markedProcesses(this.#mark)) signalProcess(pid, signal);
  }

  #signalGroups(signal: NodeJS.Signals): void {
    for (const leader of this.#leaders) signalGroup(leader, signal);
  }
}

/** @returns whether there was a process that we may signal */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  if (!hasProcessGroups && signal !== 0) return endTree(leader);
  return signalProcess(hasProcessGroups ? -leader : leader, signal);
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Without `/f` the tool only posts a message, which programs without a window never see. */
function endTree(pid: number): boolean {
  const tool = spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
  tool.once("error", () => {});
  return true;
}
