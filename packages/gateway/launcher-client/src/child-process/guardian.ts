import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { launcherMark } from "./command-mark.ts";

/** How many times a guardian that ended by itself is replaced while commands run. */
const maxReplacements = 5;

/**
 * A process that ends this launcher's commands once the launcher is gone, however it ended: its standard input is a
 * pipe from the launcher, and the system closes that pipe. One guardian serves all commands. It holds no secret and
 * does not keep the launcher alive.
 */
class Guardian {
  readonly #leaders = new Set<number>();
  #process: ChildProcess | null = null;
  #replacements = 0;

  /** Call it before a command starts, so that a launcher killed during the start already has its guardian. */
  watch(): void {
    if (this.#process === null) this.#start();
  }

  /** @param leader leads the process group of a command that has just started */
  guard(leader: number): void {
    this.#leaders.add(leader);
    this.#write(`+${leader}`);
  }

  /** The command and everything it started are gone: the system may soon reuse its process id. */
  release(leader: number): void {
    this.#leaders.delete(leader);
    this.#write(`-${leader}`);
  }

  #start(): void {
    const program = fileURLToPath(import.meta.resolve("@proj/launcher-client/guardian"));
    const child = spawn(process.execPath, [program, launcherMark], {
      // A terminal's signals are meant for the launcher only.
      detached: true,
      windowsHide: true,
      cwd: "/",
      env: { SystemRoot: process.env.SystemRoot },
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.#process = child;
    // A guardian that fails to start is treated like one that has ended.
    child.once("error", () => this.#replace(child));
    child.once("exit", () => this.#replace(child));
    child.stdin?.on("error", () => {});
    child.unref();
    // A pipe has `unref`, but its type does not declare it.
    if (child.stdin && "unref" in child.stdin && typeof child.stdin.unref === "function")
      child.stdin.unref();
    for (const leader of this.#leaders) this.#write(`+${leader}`);
  }

  #replace(ended: ChildProcess): void {
    if (this.#process !== ended) return;
    this.#process = null;
    this.#replacements += 1;
    if (this.#leaders.size > 0 && this.#replacements <= maxReplacements) this.#start();
  }

  #write(line: string): void {
    this.#process?.stdin?.write(`${line}\n`);
  }
}

export const guardian: Guardian = new Guardian();
