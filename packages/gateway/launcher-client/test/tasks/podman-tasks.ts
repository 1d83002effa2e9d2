import { join } from "node:path";
import type { SimulationResult } from "@proj/gateway-protocol";
import { isLeftOut, temporaryFolder } from "@proj/test-kit";
import { afterAll, beforeAll } from "vitest";
import { readTask, type TaskAgent, TaskSite, taskRuntime } from "../../src/index.ts";
import { startPodman } from "../sandbox/podman.ts";
import { startRequest } from "../start-request.ts";
import { type TaskFiles, writeTasks } from "./task-files.ts";

/** Tasks in containers of a podman of these tests' own. */
export interface PodmanTasks {
  readonly isLeftOut: boolean;
  readonly folder: string;
  play(name: string, agent: TaskAgent): Promise<SimulationResult>;
}

/** Call it once, at the top of a file of tests. */
export async function podmanTasks(tasks: readonly TaskFiles[]): Promise<PodmanTasks> {
  const folder = await temporaryFolder();
  const engine = await startPodman(await temporaryFolder());
  const leftOut = isLeftOut(
    "tasks in containers of podman",
    engine !== null,
    "install podman and runc",
  );
  beforeAll(async () => {
    Object.assign(process.env, engine?.env);
    await writeTasks(folder.path, engine?.image ?? "none", tasks);
  });
  afterAll(async () => {
    await engine?.[Symbol.asyncDispose]();
    await folder.remove();
  });
  // Images are then built once, and not once for each task.
  const site = new TaskSite({ engine: "podman" });
  return {
    isLeftOut: leftOut,
    folder: folder.path,
    play: async (name, agent) => {
      const { task, problems } = await readTask(join(folder.path, name));
      if (task === null) throw new Error(problems.join("\n"));
      const request = { ...startRequest, env_name: task.name };
      return taskRuntime([task], agent, site).run(request, {
        signal: new AbortController().signal,
      });
    },
  };
}
