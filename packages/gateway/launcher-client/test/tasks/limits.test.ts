import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { oracleAgent, readTask, TaskSite } from "../../src/index.ts";
import { Places } from "../../src/tasks/places.ts";
import { podmanTasks } from "./podman-tasks.ts";
import { answerTask } from "./task-files.ts";

const dockerfile = "FROM @IMAGE@\nWORKDIR /app\n";
const tasks = await podmanTasks([
  answerTask("slow-build", "[environment]\nbuild_timeout_sec = 1\n", {
    "environment/Dockerfile": `${dockerfile}RUN sleep 100\n`,
  }),
  answerTask("slow-agent", "[agent]\ntimeout_sec = 5\n", {
    "solution/solve.sh": "#!/bin/sh\necho 42 > /app/result\nsleep 100\n",
  }),
  answerTask("slow-verifier", "[verifier]\ntimeout_sec = 1\n", {
    "tests/test.sh": "#!/bin/sh\nsleep 100\n",
  }),
  answerTask("chance", "", {
    "environment/Dockerfile": `${dockerfile}RUN head -c 9 /dev/urandom > /made\n`,
  }),
]);
const { signal } = new AbortController();

describe.skipIf(tasks.isLeftOut)("a task's limits of time", () => {
  test("a build that takes longer is a failure of the infrastructure", async () => {
    await expect(tasks.play("slow-build", oracleAgent)).rejects.toMatchObject({
      code: "runtime_not_started",
      message: expect.stringContaining("its 1 s were up"),
    });
  });

  test("an agent that takes longer is cut off, and scored for what it did", async () => {
    expect(await tasks.play("slow-agent", oracleAgent)).toMatchObject({
      ...{ truncated: true, truncated_by: "time_limit", total_reward: 1 },
    });
  });

  test("a verifier that takes longer gives no reward", async () => {
    await expect(tasks.play("slow-verifier", oracleAgent)).rejects.toMatchObject({
      code: "runtime_failed",
      message: expect.stringContaining("its 1 s were up"),
    });
  });

  test("an image is built once, by one launcher for all attempts and by one for the next", async () => {
    const { task } = await readTask(join(tasks.folder, "chance"));
    if (task === null) throw new Error("the task cannot be read");
    const imageOf = async (site: TaskSite): Promise<string> =>
      (await site.image(task, task.settings.environment, signal)).id;
    const site = new TaskSite({ engine: "podman" });
    const [one, two] = await Promise.all([imageOf(site), imageOf(site)]);
    expect(two).toBe(one);
    expect(await imageOf(new TaskSite({ engine: "podman" }))).toBe(one);
  });
});

test("no more start at once than there are places, and one that gives up takes none", async () => {
  const places = new Places(2);
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const abort = new AbortController();
  const given = ends.map(({ promise }, at) =>
    places.during(
      () => {
        begun.push(at);
        return promise;
      },
      at === 2 ? abort.signal : signal,
    ),
  );
  expect(begun).toEqual([0, 1]);
  abort.abort(new Error("gave up"));
  await expect(given[2]).rejects.toThrow("gave up");
  ends[0]?.resolve();
  await given[0];
  expect(begun).toEqual([0, 1, 3]);
  for (const { resolve } of ends) resolve();
  await Promise.all([given[1], given[3]]);
});
