import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { type AgentRecipe, callOf } from "@proj/launcher-client";

export interface AgentRun {
  /** The exit code; null: a signal ended it. */
  readonly ended: Promise<number | null>;
  /** What it has written so far. */
  output(): string;
  /** Ends it and everything that it started. */
  kill(): void;
}

export interface AgentPlace {
  /** The folder of its executables. */
  readonly bin: string;
  /** Holds its home and its working folder; files of an earlier run are still there. */
  readonly folder: string;
  readonly session_id: string;
  readonly gateway_base_url: string;
}

/** Starts a program as in its recipe, without a launcher. @param edit changes the recipe's command */
export async function runAgent(
  recipe: AgentRecipe,
  { bin, folder, session_id, gateway_base_url }: AgentPlace,
  prompt: string,
  edit: (command: string) => string = (command) => command,
): Promise<AgentRun> {
  const [home, work, tmp] = [join(folder, "home"), join(folder, "work"), join(folder, "tmp")];
  const request: SimulationStartRequest = {
    session_id,
    job_id: "job",
    simulation_id: session_id,
    attempt: 1,
    env_name: null,
    env_params: null,
    group_id: null,
    llm_model: "demo",
    gateway_base_url,
    llm_base_url: `${gateway_base_url}/v1/sessions/${session_id}`,
    llm_api_key: null,
  };
  const { files, env, command } = callOf(recipe, request, { home, work, tmp });
  await Promise.all([home, work, tmp].map((path) => mkdir(path, { recursive: true })));
  for (const [name, text] of Object.entries({ ...files, prompt })) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
  }
  const child = spawn("sh", ["-c", edit(command)], {
    cwd: work,
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: home, TMPDIR: tmp, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return {
    ended: once(child, "close").then(([code]) => code as number | null),
    output: () => output,
    kill: () => {
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (child.pid !== undefined && !hasEnded) process.kill(-child.pid, "SIGKILL");
    },
  };
}
