import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { type AgentRecipe, callOf } from "../recipes/agent-recipe.ts";
import type { TaskContainer } from "./container/task-container.ts";
import { resolveVariables } from "./folder/resolve-variables.ts";
import { ofStep, type TaskFolder } from "./folder/task-folder.ts";

/** Works in a task's container on one step. */
export interface TaskAgent {
  readonly name: string;
  /** Whether it needs no model. */
  readonly isModelFree: boolean;
  /** @returns its final answer; null: it has none @throws Error it failed; EngineTimeUp */
  run(turn: TaskTurn): Promise<string | null>;
}

export interface TaskTurn {
  readonly task: TaskFolder;
  readonly step: string;
  readonly container: TaskContainer;
  readonly user: string | number | undefined;
  readonly workdir: string;
  readonly timeoutMs: number | null;
  /** With the addresses that lead to the session from inside. */
  readonly request: SimulationStartRequest;
  readonly signal: AbortSignal;
}

/** Does nothing. */
export const nopAgent: TaskAgent = { name: "nop", isModelFree: true, run: async () => null };

/** Runs the task's own solution; how that ends does not matter, because its work is scored. */
export const oracleAgent: TaskAgent = {
  name: "oracle",
  isModelFree: true,
  run: async ({ task, step, container, user, workdir, timeoutMs, signal }) => {
    const solve = ofStep(task.path, step, "solution/solve.sh");
    if (solve === null) throw new Error("the task has no solution/solve.sh");
    await container.put(dirname(solve), "/solution", signal);
    await container.exec("chmod +x /solution/solve.sh", { user: 0 }, signal);
    const env = {
      DEBIAN_FRONTEND: "noninteractive",
      ...resolveVariables(task.settings.solution.env),
    };
    const command = "(/solution/solve.sh) > /logs/agent/oracle.txt 2>&1";
    await container.run(command, { user, workdir, env, timeoutMs }, signal);
    return null;
  },
};

const home = "/tmp/agent-home";
const maxAnswer = 64 * 1024;

/** A program that the image has, or that is mounted into it. */
export const recipeAgent = (recipe: AgentRecipe): TaskAgent => ({
  name: recipe.name,
  isModelFree: false,
  run: async ({ task, step, container, user, workdir, timeoutMs, request, signal }) => {
    const places = { home, work: workdir, tmp: "/tmp" };
    const { files, env, command } = callOf(recipe, request, places);
    const prompt = task.instructions.get(step) ?? "";
    await putFiles(container, { ...files, prompt }, signal);
    const given = { ...env, HOME: home };
    const called = await container.run(command, { user, workdir, env: given, timeoutMs }, signal);
    if (called.code === null || !recipe.exit_codes.includes(called.code))
      throw new Error(`exited with code ${called.code}: ${called.stderr.trim().slice(-1_000)}`);
    const read = `head -c ${maxAnswer} "$HOME/${recipe.answer_file}"`;
    const answer = await container.exec(read, { user, env: { HOME: home } }, signal);
    return answer.code === 0 ? answer.stdout.trim() : null;
  },
});

/** Into the agent's home, which any user may write to. */
async function putFiles(
  container: TaskContainer,
  files: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const staged = await mkdtemp(join(tmpdir(), "task-home-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = join(staged, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    await container.put(staged, home, signal);
    await container.exec(`chmod -R a+rwX ${home}`, { user: 0 }, signal);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}
