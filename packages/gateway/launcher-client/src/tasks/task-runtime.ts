import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { SimulationResult, SimulationStartRequest } from "@proj/gateway-protocol";
import { requestInside } from "../network/session-address.ts";
import type { AgentRuntime } from "../runtime/agent-runtime.ts";
import { RuntimeError } from "../runtime/runtime-error.ts";
import { cutOff } from "../simulation/truncation.ts";
import { EngineTimeUp } from "./container/engine.ts";
import { EngineFailed } from "./container/engine-failed.ts";
import type { TaskContainer } from "./container/task-container.ts";
import { ofStep, stepPath, type TaskFolder } from "./folder/task-folder.ts";
import type { StepSettings } from "./folder/task-settings.ts";
import { awaitHealthy } from "./healthcheck.ts";
import { type Rewards, scoreOf } from "./read-reward.ts";
import type { TaskAgent } from "./task-agent.ts";
import type { TaskSite } from "./task-site.ts";
import { type Verified, verify } from "./task-verifier.ts";

/** A runtime for tasks: the agent works in the task's container, and the task's verifier scores it. */
export function taskRuntime(
  tasks: readonly TaskFolder[],
  agent: TaskAgent,
  site: TaskSite,
): AgentRuntime {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const description = `agent ${agent.name} in ${site.engine}`;
  return {
    description,
    isModelFree: agent.isModelFree,
    run: async (request, { signal }) => {
      const task = byName.get(request.env_name ?? "");
      if (task === undefined)
        throw new RuntimeError("runtime_not_started", `there is no task '${request.env_name}'`);
      try {
        return await playTask({ task, agent, site, request, signal });
      } catch (error) {
        signal.throwIfAborted();
        const message = error instanceof Error ? error.message : String(error);
        const code = error instanceof EngineFailed ? "runtime_not_started" : "runtime_failed";
        throw new RuntimeError(code, `${description}: task ${task.name}: ${message}`);
      }
    },
  };
}

interface Play {
  readonly task: TaskFolder;
  readonly agent: TaskAgent;
  readonly site: TaskSite;
  readonly request: SimulationStartRequest;
  readonly signal: AbortSignal;
}

interface PlayedStep extends Verified {
  readonly name: string;
  readonly isCut: boolean;
  readonly answer: string | null;
}

async function playTask(play: Play): Promise<SimulationResult> {
  const { task, agent, site, request, signal } = play;
  const { environment, steps, agent: own } = task.settings;
  const network = own.network_mode ?? environment.network_mode;
  const played = await site.within(
    {
      image: () => site.image(task, environment, signal),
      settings: environment,
      network:
        network === "no-network" || (network === undefined && environment.allow_internet === false)
          ? "none"
          : "public",
      llm_base_url: request.llm_base_url,
      healthcheck: environment.healthcheck,
    },
    async (container, image) => {
      await makeLogs(container, signal);
      const done: PlayedStep[] = [];
      const all = steps ?? [null];
      for (const [at, step] of all.entries()) {
        const isLast = at === all.length - 1;
        const workdir = environment.workdir ?? image.workdir;
        const played = await playStep(play, step, { container, image, workdir, isLast });
        done.push(played);
        if (!meets(played.rewards, step?.min_reward)) break;
      }
      return done;
    },
    signal,
  );
  const rewards = together(played, task.settings.multi_step_reward_strategy ?? "mean");
  const last = played.at(-1);
  const left_out = [...new Set(played.flatMap((step) => step.left_out))];
  const metrics = {
    ...{ agent: agent.name, task: task.name, rewards, answer: last?.answer ?? null },
    ...(steps === undefined
      ? {}
      : { steps: played.map(({ name, rewards }) => ({ name, rewards })) }),
    ...(left_out.length === 0 ? {} : { left_out: left_out.slice(0, 100) }),
  };
  const ended = last?.isCut
    ? cutOff(request, "time_limit")
    : { ...cutOff(request, "time_limit"), terminated: true, truncated: false, truncated_by: null };
  return { ...ended, total_reward: scoreOf(rewards), metrics };
}

async function playStep(
  { task, agent, site, request, signal }: Play,
  step: StepSettings | null,
  at: {
    readonly container: TaskContainer;
    readonly image: Parameters<typeof verify>[0]["agent"]["image"];
    readonly workdir: string;
    readonly isLast: boolean;
  },
): Promise<PlayedStep> {
  const { container, image, workdir, isLast } = at;
  const { settings } = task;
  const name = step?.name ?? "";
  if (step !== null) await prepareStep(task, step, container, workdir, signal);
  const timeout = step?.agent.timeout_sec ?? settings.agent.timeout_sec ?? null;
  const turn = {
    ...{ task, step: name, container, workdir, signal },
    user: step?.agent.user ?? settings.agent.user,
    timeoutMs: timeout === null ? null : timeout * 1000,
    request: requestInside(request),
  };
  const ended = await agent.run(turn).then(
    (answer) => ({ answer, isCut: false }),
    (error) => {
      if (!(error instanceof EngineTimeUp)) throw error;
      return { answer: null, isCut: true };
    },
  );
  const verifier = { ...settings.verifier, ...definedOf(step?.verifier) };
  for (const { command, timeout_sec, user } of [
    ...settings.verifier.collect,
    ...(step?.verifier.collect ?? []),
  ])
    await container.exec(command, { user, timeoutMs: timeout_sec * 1000 }, signal);
  if (isLast) await container.stop();
  else await container.exec("kill -9 -1", { user: 0 }, signal);
  const artifacts = [...settings.artifacts, ...(step?.artifacts ?? [])];
  const agentOf = { container, image };
  const verified = await verify(
    { site, task, step: name, verifier, agent: agentOf, artifacts },
    signal,
  );
  return { ...verified, ...ended, name };
}

/** A step's own settings; what it does not state is the task's. */
function definedOf(verifier: StepSettings["verifier"] | undefined) {
  if (verifier === undefined) return {};
  return Object.fromEntries(Object.entries(verifier).filter(([, value]) => value !== undefined));
}

async function prepareStep(
  task: TaskFolder,
  step: StepSettings,
  container: TaskContainer,
  workdir: string,
  signal: AbortSignal,
): Promise<void> {
  const folder = join(stepPath(step.name), "workdir");
  const setup = ofStep(task.path, "", join(folder, "setup.sh"));
  const files = ofStep(task.path, "", folder);
  if (files !== null) await container.put(files, workdir, signal);
  if (setup !== null) {
    const { code, stderr } = await container.exec("bash ./setup.sh", { workdir }, signal);
    if (code !== 0) throw new Error(`step ${step.name}: setup.sh ended with ${code}: ${stderr}`);
  }
  await awaitHealthy(container, step.healthcheck, signal);
}

/** Copied by the engine, because an image may have no program that makes folders. */
const makeLogs = (container: TaskContainer, signal: AbortSignal): Promise<void> =>
  container.putStaged("/", signal, async (staged) => {
    for (const name of ["agent", "verifier", "artifacts"]) {
      const path = join(staged, "logs", name);
      await mkdir(path, { recursive: true });
      await chmod(path, 0o777);
    }
  });

function meets(rewards: Rewards, min: StepSettings["min_reward"]): boolean {
  if (min === undefined) return true;
  const bounds = typeof min === "number" ? { reward: min } : min;
  return Object.entries(bounds).every(
    ([name, bound]) => (rewards[name] ?? Number.NEGATIVE_INFINITY) >= bound,
  );
}

/** Of all steps that were played: each name's mean, in which a step without it counts 0; or the last step's. */
function together(played: readonly PlayedStep[], strategy: "mean" | "final"): Rewards {
  if (strategy === "final") return played.at(-1)?.rewards ?? {};
  const names = new Set(played.flatMap(({ rewards }) => Object.keys(rewards)));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      played.reduce((sum, { rewards }) => sum + (rewards[name] ?? 0), 0) / played.length,
    ]),
  );
}
