import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markVariable } from "../../child-process/command-mark.ts";
import { beginning } from "../../child-process/command-output.ts";
import { type StartedCommand, startCommand } from "../../child-process/start-command.ts";
import { openSessionNetwork } from "../../network/session-network.ts";
import { engineEnvironment } from "../../sandbox/engine-environment.ts";
import { announcement } from "../../sandbox/sandbox.ts";
import { askEngine, type Called, callEngine, type EngineName } from "./engine.ts";
import { EngineFailed } from "./engine-failed.ts";
import { launcherLabel, type TaskImage, taskLabel } from "./task-image.ts";

export interface ContainerPlan {
  readonly engine: EngineName;
  readonly image: TaskImage | { readonly id: string };
  readonly network: "none" | "public";
  readonly cpus: number | null;
  readonly memoryMb: number | null;
  readonly env: Readonly<Record<string, string>>;
  /** Of commands; null: the image's own, which the engine makes. */
  readonly workdir: string | null;
  readonly mounts: readonly {
    readonly source: string;
    readonly target: string;
    readonly readonly: boolean;
  }[];
  /** The session's at the gateway, reachable from inside at its own port; null: none is. */
  readonly llm_base_url: string | null;
}

export interface Exec {
  readonly user?: string | number | undefined;
  readonly workdir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number | null;
}

/**
 * The first process says that it is there, and ends when its input does: with the launcher, however that ends, and
 * with it every other process of the container.
 */
const firstProcess = `trap "exit 0" TERM
echo up
while IFS= read -r _; do :; done`;

const stopMs = 10_000;
/** The code of podman and docker for failures of their own; a command's code may be the same. */
const engineFailed = 125;

/** A container that is kept after its end, until `remove`. */
export class TaskContainer {
  readonly name: string;
  readonly #plan: ContainerPlan;
  readonly #started: StartedCommand;
  readonly #leave: () => void;

  /** @throws Error it did not start; the signal's reason */
  static async start(plan: ContainerPlan, signal: AbortSignal): Promise<TaskContainer> {
    signal.throwIfAborted();
    const { engine, env } = plan;
    const name = `launcher-${randomUUID()}`;
    const started = await startCommand({
      run: { file: engine, args: runArguments(name, plan) },
      cwd: "/",
      env: { ...env, ...engineEnvironment() },
    });
    const { child, mark } = started;
    let complaint = "";
    child.stdin.on("error", () => {});
    child.stderr.on("data", (text: Buffer) => {
      complaint = `${complaint}${text}`.slice(-2_000);
    });
    const ended = once(child, "exit").then(() => {
      throw new Error(`the container did not start: ${complaint.trim()}`);
    });
    ended.catch(() => {});
    try {
      await Promise.race([once(child.stdout, "data", { signal }), ended]);
      child.stdout.resume();
      const { llm_base_url } = plan;
      const leave =
        llm_base_url === null ? () => {} : await openSessionNetwork(mark, llm_base_url, signal);
      return new TaskContainer(name, plan, started, leave);
    } catch (error) {
      await started.tree.end(0);
      await started.leave();
      await callEngine(engine, ["rm", "--force", name], fresh()).catch(() => {});
      signal.throwIfAborted();
      throw error;
    }
  }

  private constructor(
    name: string,
    plan: ContainerPlan,
    started: StartedCommand,
    leave: () => void,
  ) {
    this.name = name;
    this.#plan = plan;
    this.#started = started;
    this.#leave = leave;
  }

  /** Runs a command of the container's shell. @throws EngineTimeUp; the signal's reason */
  exec(
    command: string,
    { user, workdir, env = {}, timeoutMs = null }: Exec,
    signal: AbortSignal,
  ): Promise<Called> {
    const who = user === undefined ? [] : ["--user", String(user)];
    const place = workdir ?? this.#plan.workdir;
    const where = place === null ? [] : ["--workdir", place];
    const given = variableArguments(env);
    const args = ["exec", ...who, ...where, ...given, this.name, "sh", "-c", command];
    return this.#call(args, signal, { env, timeoutMs });
  }

  /**
   * As `exec`, for commands whose code says something about the agent or its work. They may print any amount.
   * @throws EngineFailed the engine did not begin it; EngineTimeUp; the signal's reason
   */
  async run(command: string, options: Exec, signal: AbortSignal): Promise<Called> {
    const called = await this.exec(`${announcement}exec > /dev/null\n${command}`, options, signal);
    if (called.code === engineFailed && !called.stdout.startsWith(`${beginning}\n`))
      throw new EngineFailed(`${this.#plan.engine} exec: ${called.stderr.trim().slice(-1_000)}`);
    return called;
  }

  /** @throws EngineFailed its first process has ended, and not for want of memory */
  async requireRunning(signal: AbortSignal): Promise<void> {
    const asked = ["inspect", "--format", "{{.State.Running}} {{.State.OOMKilled}}", this.name];
    const { stdout } = await this.#call(asked, signal);
    if (stdout.trim() === "true false" || stdout.trim().endsWith(" true")) return;
    throw new EngineFailed("its container was ended");
  }

  /** Copies what a folder of this machine holds into one of the container, which is made. */
  async put(source: string, target: string, signal: AbortSignal): Promise<void> {
    await askEngine(this.#plan.engine, ["cp", `${source}/.`, `${this.name}:${target}`], { signal });
  }

  /**
   * As `put`, with what `stage` writes into a new folder, which everybody may read. Modes are kept: no program of the
   * container need change them.
   */
  async putStaged(
    target: string,
    signal: AbortSignal,
    stage: (staged: string) => Promise<void>,
  ): Promise<void> {
    const staged = await mkdtemp(join(tmpdir(), "task-files-"));
    try {
      await chmod(staged, 0o755);
      await stage(staged);
      await this.put(staged, target, signal);
    } finally {
      await rm(staged, { recursive: true, force: true });
    }
  }

  /** Copies a path of the container to one of this machine. @returns false: there is nothing */
  async get(source: string, target: string, signal: AbortSignal): Promise<boolean> {
    return (await this.#call(["cp", `${this.name}:${source}`, target], signal)).code === 0;
  }

  /** Ends its processes; its files stay. */
  async stop(): Promise<void> {
    this.#leave();
    const { child, tree } = this.#started;
    const gone = child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
    child.stdin.end();
    if (gone !== null && !(await settles(gone, stopMs))) {
      await callEngine(this.#plan.engine, ["kill", this.name], fresh()).catch(() => {});
      if (!(await settles(gone, stopMs))) await tree.end(0);
    }
    await this.#started.leave();
  }

  async remove(): Promise<void> {
    await this.stop();
    await callEngine(this.#plan.engine, ["rm", "--force", this.name], fresh());
  }

  #call(
    args: readonly string[],
    signal: AbortSignal,
    more: Pick<Exec, "timeoutMs" | "env"> = {},
  ): Promise<Called> {
    return callEngine(this.#plan.engine, args, { signal, ...more });
  }
}

/** For what is left to do after an abort. */
const fresh = () => ({ signal: AbortSignal.timeout(60_000) });

const settles = (work: Promise<unknown>, withinMs: number): Promise<boolean> =>
  Promise.race([
    work.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, withinMs, false).unref()),
  ]);

function runArguments(name: string, plan: ContainerPlan): readonly string[] {
  const { image, network, cpus, memoryMb, env, mounts } = plan;
  return [
    ...["run", "--interactive", "--name", name, "--pull", "never"],
    ...["--label", `${taskLabel}=1`, "--label", `${launcherLabel}=${process.pid}`],
    // SELinux would deny access to mounted folders.
    ...["--security-opt", "label=disable"],
    ...(network === "none" ? ["--network", "none"] : []),
    ...(cpus === null ? [] : ["--cpus", String(cpus)]),
    ...(memoryMb === null ? [] : ["--memory", `${memoryMb}m`, "--memory-swap", `${memoryMb}m`]),
    ...mounts.flatMap(({ source, target, readonly }) => [
      "--mount",
      `type=bind,source=${source},target=${target}${readonly ? ",readonly" : ""}`,
    ]),
    ...variableArguments(env),
    ...["--env", markVariable],
    ...["--entrypoint", "/bin/sh", image.id, "-c", firstProcess],
  ];
}

/** The engine's own variables have its values, so a task's values for them are arguments; others may be secret. */
const variableArguments = (env: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => [
    "--env",
    name in engineEnvironment() ? `${name}=${value}` : name,
  ]);
