import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { type AgentRecipe, callOf } from "../recipes/agent-recipe.ts";
import { agentHome } from "./container/carry-work.ts";
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
    await container.putStaged("/solution", signal, async (staged) => {
      await cp(dirname(solve), staged, { recursive: true, verbatimSymlinks: true });
      await chmod(join(staged, "solve.sh"), 0o755);
    });
    const env = {
      DEBIAN_FRONTEND: "noninteractive",
      ...resolveVariables(task.settings.solution.env),
    };
    const command = "(/solution/solve.sh) > /logs/agent/oracle.txt 2>&1";
    await container.run(command, { user, workdir, env, timeoutMs }, signal);
    return null;
  },
};

const maxAnswer = 64 * 1024;

/** A program that the image has, or that is mounted into it. */
export const recipeAgent = (recipe: AgentRecipe): TaskAgent => ({
  name: recipe.name,
  isModelFree: false,
  run: async ({ task, step, container, user, workdir, timeoutMs, request, signal }) => {
    const places = { home: agentHome, work: workdir, tmp: "/tmp" };
    const { files, env, command } = callOf(recipe, request, places);
    const prompt = task.instructions.get(step) ?? "";
    await putFiles(container, { ...files, prompt }, signal);
    const given = { ...env, HOME: agentHome };
    const called = await container.run(command, { user, workdir, env: given, timeoutMs }, signal);
    if (called.code === null || !recipe.exit_codes.includes(called.code))
      throw new Error(`exited with code ${called.code}: ${called.stderr.trim().slice(-1_000)}`);
    const read = `head -c ${maxAnswer} "$HOME/${recipe.answer_file}"`;
    const answer = await container.exec(read, { user, env: { HOME: agentHome } }, signal);
    return answer.code === 0 ? answer.stdout.trim() : null;
  },
});

/** Into the agent's home, which any user may write to. */
const putFiles = (
  container: TaskContainer,
  files: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> =>
  container.putStaged(agentHome, signal, async (staged) => {
    for (const [name, text] of Object.entries(files)) {
      const path = join(staged, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      await chmod(path, 0o666);
      for (let at = dirname(path); at !== staged; at = dirname(at)) await chmod(at, 0o777);
    }
    await chmod(staged, 0o777);
  });
