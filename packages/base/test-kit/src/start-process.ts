import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ChangeSignal } from "./change-signal.ts";
import { within } from "./time-out.ts";

/** A short process spends half its time compiling, and tests start hundreds with the same code. */
export const compileCache: string =
  process.env.NODE_COMPILE_CACHE ??
  fileURLToPath(new URL("../../../../node_modules/.cache/compiled", import.meta.url));

export interface StartProcessOptions {
  /** @default the test's own */
  readonly cwd?: string;
  /** Added to the test's own environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Signals reach everything it starts, as they do from a terminal. @default false */
  readonly isGroup?: boolean;
  /** Its limit of file descriptors. @default the test's own */
  readonly maxOpenFiles?: number;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A Node process under test, started from the executable itself so that signals reach it. */
export class RunningProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #command: string;
  readonly #isGroup: boolean;
  readonly #exit = Promise.withResolvers<Exit>();
  readonly #change = new ChangeSignal();
  #exited = false;
  stdout = "";
  stderr = "";

  constructor(args: readonly string[], options: StartProcessOptions) {
    this.#isGroup = options.isGroup ?? false;
    this.#command = `node ${args.join(" ")}`;
    const command = [process.execPath, "--conditions=@proj/source", ...args];
    if (options.maxOpenFiles !== undefined)
      // The shell turns into the program, so that signals reach it.
      command.unshift("sh", "-c", `ulimit -n ${options.maxOpenFiles} && exec "$0" "$@"`);
    const [file = "", ...rest] = command;
    this.#child = spawn(file, rest, {
      cwd: options.cwd,
      detached: this.#isGroup,
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
      this.#change.announce();
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#change.announce();
    });
    this.#child.once("error", (error) => this.#exit.reject(error));
    // `close` comes after `exit`, when all output has been read.
    this.#child.once("close", (code, signal) => {
      this.#exited = true;
      this.#exit.resolve({ code, signal });
      this.#change.announce();
    });
    this.#exit.promise.catch(() => this.#change.announce());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get output(): string {
    return `--- stdout\n${this.stdout}\n--- stderr\n${this.stderr}`;
  }

  /** Resolves with the first matching line of either output; rejects if the process ends without one. */
  async line(pattern: RegExp, timeoutMs?: number): Promise<string> {
    const missing = (): string => `a line like ${pattern} from ${this.#command}\n${this.output}`;
    for (;;) {
      const lines = `${this.stdout}\n${this.stderr}`.split("\n");
      const found = lines.find((line) => line.search(pattern) >= 0);
      if (found !== undefined) return found;
      if (this.#exited) throw new Error(`The process ended without ${missing()}`);
      await within(Promise.race([this.#change.next, this.#exit.promise]), missing, timeoutMs);
    }
  }

  /** Resolves when the process has ended and all its output has been read. */
  exit(timeoutMs?: number): Promise<Exit> {
    const what = (): string => `the end of ${this.#command}\n${this.output}`;
    return within(this.#exit.promise, what, timeoutMs);
  }

  /** Sends a signal; `exit` waits for its effect. @default "SIGTERM" */
  kill(signal: NodeJS.Signals = "SIGTERM"): void {
    const { pid } = this.#child;
    if (this.#isGroup && pid !== undefined) process.kill(-pid, signal);
    else this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#exited) this.kill("SIGKILL");
    await this.exit();
  }
}

/**
 * Starts Node so that the workspace's packages resolve to their sources.
 * @param args the arguments of `node`: options, the script, and its arguments
 */
export function startProcess(
  args: readonly string[],
  options: StartProcessOptions = {},
): RunningProcess {
  return new RunningProcess(args, options);
}
