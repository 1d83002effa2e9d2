import { chmod, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { describe, expect, test, vi } from "vitest";
import { oracleAgent, readRecipe, recipeAgent, type TaskAgent } from "../../src/index.ts";
import { podmanTasks } from "./podman-tasks.ts";
import { answerTask } from "./task-files.ts";

const tasks = await podmanTasks([answerTask("answer", "")]);

/** The calls of the engine's program, each by its first argument, while an agent plays. */
async function callsOf(agent: TaskAgent): Promise<readonly string[]> {
  await using folder = await temporaryFolder();
  const calls = join(folder.path, "calls");
  const engine = join(folder.path, "podman");
  const path = process.env.PATH;
  await writeFile(engine, `#!/bin/sh\necho "$1" >> '${calls}'\nPATH='${path}' exec podman "$@"\n`);
  await chmod(engine, 0o755);
  vi.stubEnv("PATH", `${folder.path}${delimiter}${path}`);
  try {
    expect(await tasks.play("answer", agent)).toMatchObject({ total_reward: 1 });
    return (await readFile(calls, "utf8")).trim().split("\n");
  } finally {
    vi.unstubAllEnvs();
  }
}

describe.skipIf(tasks.isLeftOut)("the engine's program", () => {
  test("is called twelve times for a task", { timeout: 240_000 }, async () => {
    // The image is built.
    await tasks.play("answer", oracleAgent);
    const begun = ["run", "cp", "cp", "exec"];
    const carried = ["run", "diff", "cp", "cp"];
    const scored = ["exec", "rm", "rm"];
    // The solution leaves a log, which is carried too.
    expect(await callsOf(oracleAgent)).toEqual([...begun, ...carried, "cp", "cp", ...scored]);
    // It prints more than any process should keep, and changes more files than a mebibyte can name.
    const command = `head -c 70000000 /dev/zero; head -c 70000000 /dev/zero >&2
i=0; while [ $i -lt 6000 ]; do : > "/app/${"x".repeat(200)}$i"; i=$((i+1)); done
echo 42 > /app/result`;
    const wordy = recipeAgent(readRecipe({ name: "wordy", command }));
    expect(await callsOf(wordy)).toEqual([...begun, "exec", ...carried, ...scored]);
  });
});
