import { chmod, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { carryWork } from "./container/carry-work.ts";
import { askEngine, callEngine } from "./container/engine.ts";
import { EngineFailed } from "./container/engine-failed.ts";
import type { ContainerPlan, TaskContainer } from "./container/task-container.ts";
import type { TaskImage } from "./container/task-image.ts";
import { resolveVariables } from "./folder/resolve-variables.ts";
import { ofStep, stepPath, type TaskFolder } from "./folder/task-folder.ts";
import type { Artifact, EnvironmentSettings, VerifierSettings } from "./folder/task-settings.ts";
import { type Rewards, readRewards } from "./read-reward.ts";
import type { TaskSite } from "./task-site.ts";

export interface Verified {
  readonly rewards: Rewards;
  /** Files of the system that the agent changed and that the verifier did not see. */
  readonly left_out: readonly string[];
}

export interface Verification {
  readonly site: TaskSite;
  readonly task: TaskFolder;
  readonly step: string;
  readonly verifier: VerifierSettings;
  /** The agent's, whose processes have ended or are about to. */
  readonly agent: { readonly container: TaskContainer; readonly image: TaskImage };
  readonly artifacts: readonly Artifact[];
}

/**
 * Scores an agent's work in a container of its own. Its tests, its folder for the reward and its processes are new, and
 * come from the task alone.
 * @throws Error it gave no reward; EngineTimeUp
 */
export async function verify(of: Verification, signal: AbortSignal): Promise<Verified> {
  const { site, task, step, verifier } = of;
  const place = await mkdtemp(join(tmpdir(), "task-verifier-"));
  const [tests, logs] = [join(place, "tests"), join(place, "logs")];
  try {
    const own = separateEnvironment(task, step, verifier);
    const settings = own?.settings ?? task.settings.environment;
    const hasTests = own?.folder == null;
    if (hasTests) await stageTests(task, step, tests);
    const committed =
      own === null && site.verifierSees === "whole" ? await commit(of, signal) : null;
    try {
      const plan = {
        settings,
        network: networkOf(verifier, settings),
        mounts: [
          ...(await makeLogs(logs, own === null && committed === null)),
          ...(hasTests ? [{ source: tests, target: "/tests", readonly: false }] : []),
        ],
        healthcheck: own === null ? undefined : settings.healthcheck,
        image: async () =>
          committed ??
          (own?.folder != null
            ? site.imageIn(own.folder, settings, signal)
            : site.image(task, task.settings.environment, signal)),
      };
      const left_out = await site.within(
        plan,
        async (container) => {
          const left = await handOver(of, container, own !== null, signal);
          await runTests(verifier, container, signal);
          return left;
        },
        signal,
      );
      return { rewards: await readRewards(join(logs, "verifier")), left_out };
    } catch (error) {
      // Of all of an agent's files: what it left there may be why.
      if (committed !== null && error instanceof EngineFailed) throw new Error(error.message);
      throw error;
    } finally {
      if (committed !== null) await callEngine(site.engine, ["rmi", committed.id], { signal });
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Null: it works on what the agent's container has. */
function separateEnvironment(
  task: TaskFolder,
  step: string,
  verifier: VerifierSettings,
): { readonly settings: EnvironmentSettings; readonly folder: string | null } | null {
  const { verifier: all } = task.settings;
  const modes = [verifier, all].map(
    ({ environment_mode, environment }) =>
      environment_mode ?? (environment === undefined ? undefined : "separate"),
  );
  if ((modes[0] ?? modes[1]) !== "separate") return null;
  const settings = verifier.environment ?? all.environment ?? task.settings.environment;
  const dockerfile = ofStep(task.path, step, "tests/Dockerfile");
  if (settings.docker_image !== undefined && settings !== task.settings.environment)
    return { settings, folder: join(task.path, stepPath(step), "tests") };
  if (dockerfile !== null)
    return { settings: { ...settings, docker_image: undefined }, folder: dirname(dockerfile) };
  return { settings, folder: null };
}

const networkOf = (
  verifier: VerifierSettings,
  { network_mode, allow_internet }: EnvironmentSettings,
): "none" | "public" => {
  const mode = verifier.network_mode ?? network_mode;
  return mode === "no-network" || (mode === undefined && allow_internet === false)
    ? "none"
    : "public";
};

/** Folders that anybody may write to; the agent's are empty until its work is handed over. @returns their mounts */
async function makeLogs(logs: string, withAgents: boolean): Promise<ContainerPlan["mounts"]> {
  const names = withAgents ? ["verifier", "agent", "artifacts"] : ["verifier"];
  for (const name of names) {
    await mkdir(join(logs, name), { recursive: true });
    await chmod(join(logs, name), 0o777);
  }
  return names.map((name) => ({
    source: join(logs, name),
    target: `/logs/${name}`,
    readonly: false,
  }));
}

/** The task's tests, and above them those of the step. */
async function stageTests(task: TaskFolder, step: string, tests: string): Promise<void> {
  for (const place of new Set([join(task.path, "tests"), join(task.path, stepPath(step), "tests")]))
    await cp(place, tests, { recursive: true, force: true, verbatimSymlinks: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      },
    );
  await chmod(join(tests, "test.sh"), 0o755);
}

/** An image of all of the agent's files. */
async function commit({ site, agent }: Verification, signal: AbortSignal): Promise<TaskImage> {
  const id = await askEngine(site.engine, ["commit", agent.container.name], { signal });
  return { ...agent.image, id: id.split("\n").at(-1) ?? id };
}

async function handOver(
  { site, agent, artifacts }: Verification,
  container: TaskContainer,
  isSeparate: boolean,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const place = await mkdtemp(join(tmpdir(), "task-artifacts-"));
  try {
    if (!isSeparate) {
      if (site.verifierSees === "whole") return [];
      return await carryWork(site.engine, agent.image, agent.container, container, signal);
    }
    for (const [at, { source }] of [{ source: "/logs/artifacts" }, ...artifacts].entries()) {
      const staged = join(place, String(at));
      await mkdir(staged);
      if (await agent.container.get(source, staged, signal))
        await container.put(staged, dirname(source), signal);
    }
    return [];
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function runTests(
  { env = {}, user, timeout_sec = 600 }: VerifierSettings,
  container: TaskContainer,
  signal: AbortSignal,
): Promise<void> {
  const options = {
    user,
    // Python would run what an agent left in its user's folder before any test.
    env: { PYTHONNOUSERSITE: "1", ...resolveVariables(env) },
    timeoutMs: timeout_sec * 1000,
  };
  const command = "(/tests/test.sh) > /logs/verifier/test-stdout.txt 2>&1";
  const { code } = await container.run(command, options, signal);
  // Somebody may have ended it before the tests wrote the reward.
  if (code !== 0) await container.requireRunning(signal);
}
