import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort, temporaryFolder, waitFor } from "@proj/test-kit";
import { killChild } from "./kill-child.ts";

const run = promisify(execFile);

/** Slurm on this machine, with keys and ports of its own. */
export interface SlurmCluster extends AsyncDisposable {
  readonly env: { readonly SLURM_CONF: string };
  /** The names of jobs that have not ended. */
  jobs(): Promise<readonly string[]>;
  /** Kills the controller. @returns a function that starts it again */
  killController(): Promise<() => Promise<void>>;
}

/** Null: this machine lacks a program, or root. */
export async function startSlurm(): Promise<SlurmCluster | null> {
  const programs = ["munged", "mungekey", "slurmctld", "slurmd", "srun"];
  const path = `${process.env.PATH}:/usr/sbin:/sbin`;
  for (const program of programs) {
    const has = await run("which", [program], { env: { PATH: path } }).catch(() => null);
    if (has === null || process.getuid?.() !== 0) return null;
  }
  const folder = await temporaryFolder();
  const place = (name: string): string => join(folder.path, name);
  for (const name of ["state", "spool"]) await mkdir(place(name));
  const SLURM_CONF = place("slurm.conf");
  const options = { env: { ...process.env, PATH: path, SLURM_CONF } };
  const started: ChildProcess[] = [];
  const start = (program: string, ...args: readonly string[]): ChildProcess => {
    const child = spawn(program, args, { ...options, stdio: "ignore" });
    started.push(child);
    return child;
  };
  await run("mungekey", ["--create", `--keyfile=${place("key")}`], options);
  const munge = { "key-file": "key", socket: "munge", "pid-file": "munge.pid" };
  const more = { "log-file": "munge.log", "seed-file": "munge.seed" };
  const places = Object.entries({ ...munge, ...more }).map(([n, at]) => `--${n}=${place(at)}`);
  start("munged", "--foreground", "--force", ...places);
  await writeFile(SLURM_CONF, await configuration(place));
  let controller = start("slurmctld", "-D");
  start("slurmd", "-D");
  const isUp = () => run("sinfo", ["--noheader", "--format=%T"], options).catch(() => null);
  await waitFor(async () => (await isUp())?.stdout.trim() === "idle", "Slurm's node", 60_000);
  return {
    env: { SLURM_CONF },
    jobs: async () => {
      const { stdout } = await run("squeue", ["--noheader", "--format=%j"], options);
      return stdout.split("\n").filter((name) => name !== "");
    },
    killController: async () => {
      await killChild(controller);
      return async () => {
        controller = start("slurmctld", "-D");
        await waitFor(async () => (await isUp()) !== null, "Slurm's controller", 60_000);
      };
    },
    async [Symbol.asyncDispose]() {
      for (const child of started.reverse()) await killChild(child);
      await folder.remove();
    },
  };
}

async function configuration(place: (name: string) => string): Promise<string> {
  const host = hostname().split(".")[0] ?? "";
  return `ClusterName=one
SlurmctldHost=${host}(127.0.0.1)
SlurmUser=root
SlurmctldPort=${await freePort()}
SlurmdPort=${await freePort()}
AuthType=auth/munge
AuthInfo=socket=${place("munge")}
StateSaveLocation=${place("state")}
SlurmdSpoolDir=${place("spool")}
SlurmctldPidFile=${place("ctld.pid")}
SlurmdPidFile=${place("d.pid")}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=2
NodeName=${host} NodeAddr=127.0.0.1 CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=${host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
`;
}
