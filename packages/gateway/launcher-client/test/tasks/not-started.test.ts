import { describe, expect, test } from "vitest";
import { oracleAgent } from "../../src/index.ts";
import { podmanTasks } from "./podman-tasks.ts";
import { answerTask } from "./task-files.ts";

const tasks = await podmanTasks([
  answerTask("unbuildable", "", { "environment/Dockerfile": "FROM @IMAGE@\nRUN exit 7\n" }),
]);

describe.skipIf(tasks.isLeftOut)("a task whose container does not start", () => {
  test("is a failure of the infrastructure, and the build's words say why", async () => {
    await expect(tasks.play("unbuildable", oracleAgent)).rejects.toMatchObject({
      code: "runtime_not_started",
      message: expect.stringContaining("exit"),
    });
  }, 120_000);
});
