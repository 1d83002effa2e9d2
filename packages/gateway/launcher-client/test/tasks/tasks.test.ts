import { describe, expect, test } from "vitest";
import { findTasks, nopAgent, oracleAgent } from "../../src/index.ts";
import { podmanTasks } from "./podman-tasks.ts";
import { allTasks } from "./task-files.ts";

const tasks = await podmanTasks(allTasks);

test("there are at least twenty tasks, and each is found", async () => {
  expect((await findTasks(tasks.folder)).length).toBe(allTasks.length);
  expect(allTasks.length).toBeGreaterThanOrEqual(20);
});

// Containers mostly wait for podman: several play at once.
describe.skipIf(tasks.isLeftOut).concurrent("rewards", () => {
  test.each(allTasks)(
    "$name: oracle $oracle, nop $nop",
    { timeout: 240_000 },
    async ({ name, oracle, nop }) => {
      const [solved, left] = await Promise.all([
        tasks.play(name, oracleAgent),
        tasks.play(name, nopAgent),
      ]);
      expect(solved).toMatchObject({ status: "completed", total_reward: oracle });
      expect(left.total_reward).toBe(nop);
    },
  );
});
