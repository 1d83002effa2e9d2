import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { limitLines } from "../child-process/command-limits.ts";
import { poll } from "../poll.ts";
import { announcement, type Sandbox } from "./sandbox.ts";

export interface SlurmOptions {
  /** Further arguments of `srun`: `--partition=gpu`, `--cpus-per-task=4`. */
  readonly options?: readonly string[];
  /** After this long Slurm ends a job, even one that no launcher knows. In milliseconds. @default the partition's */
  readonly timeLimitMs?: number;
}

/** A controller that starts again is waited for: `srun` would give up after seconds. */
const waiting = 'until scontrol ping >/dev/null 2>&1; do sleep 1; done; exec "$0" "$@"';

/** A controller that was killed forgets its last seconds; an `srun` whose job it has forgotten would wait for ever. */
const watching = (name: string): string => `(
knows() { jobs=$(squeue --noheader --format=%i --name=${name} 2>/dev/null) && [ -z "$jobs" ] && return 1; return 0; }
while sleep 30; do knows || { sleep 5; knows || kill -9 $$; }; done
) </dev/null >/dev/null 2>&1 &
`;

const askMs = 300_000;

/**
 * Slurm: each attempt is a job of one task that `srun` runs, as the launcher's own user and with the streams of a
 * command of this machine; an abort kills it at once. Attempts' folders must be on a file system that the nodes share.
 * A limit of memory is the job's request too. `enter` throws a TypeError for another user.
 */
export function slurm({ options = [], timeLimitMs }: SlurmOptions = {}): Sandbox {
  return {
    description: "Slurm",
    network: "machine",
    isElsewhere: true,
    enter: ({ session_id, script, cwd, env, limits, user }) => {
      if (user !== null) throw new TypeError("Slurm runs agents as the launcher's own user");
      const { memoryBytes } = limits;
      const minutes = timeLimitMs === undefined ? null : Math.ceil(timeLimitMs / 60_000);
      const args = [
        ...["--ntasks=1", "--nodes=1", "--quiet", `--job-name=${nameOf(session_id)}`],
        ...[`--chdir=${cwd}`, `--export=${Object.keys(env).join(",")}`],
        ...(memoryBytes === undefined ? [] : [`--mem=${Math.ceil(memoryBytes / 2 ** 20)}M`]),
        ...(minutes === null ? [] : [`--time=${minutes}`]),
        ...options,
      ];
      const shell = ["/bin/sh", "-c", `${limitLines(limits)}${announcement}${script}`];
      return {
        file: "/bin/sh",
        args: ["-c", `${watching(nameOf(session_id))}${waiting}`, "srun", ...args, ...shell],
        env: { ...slurmEnvironment(), ...env },
        cwd: "/",
        user: null,
        isAnnounced: true,
      };
    },
    abandon: async (session_id) => void (await ask("scancel", `--name=${nameOf(session_id)}`)),
    endedBy: async (session_id) => {
      const state = await poll(() => endOf(session_id), { timeoutMs: 15_000, minDelayMs: 100 });
      if (!state) return "Slurm does not know its job";
      return lost.has(state) ? `its job is ${state}` : null;
    },
  };
}

/** Ends of a job that say nothing about its agent. */
const lost: ReadonlySet<string> = new Set([
  ...["BOOT_FAIL", "CANCELLED", "DEADLINE", "NODE_FAIL", "PREEMPTED", "REVOKED"],
]);

/** The state of an attempt's last job, which may take a moment after its last process. */
async function endOf(session_id: string) {
  const which = [`--name=${nameOf(session_id)}`, "--states=all", "--sort=i"];
  const states = await ask("squeue", ...which, "--noheader", "--format=%T").catch(() => "");
  const state = states.trim().split("\n").at(-1) ?? "";
  return { done: state !== "RUNNING" && state !== "COMPLETING", value: state };
}

async function ask(program: string, ...args: readonly string[]): Promise<string> {
  const options = { env: slurmEnvironment(), timeout: askMs };
  return (await promisify(execFile)("/bin/sh", ["-c", waiting, program, ...args], options)).stdout;
}

/** Any launcher finds an attempt's job by its name. */
const nameOf = (session_id: string): string => `launcher-${session_id}`;

/** Where Slurm's programs find their configuration. Variables of a job that the launcher runs in are not passed. */
const slurmEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ["PATH", "SLURM_CONF"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
