import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { readTask } from "../../src/index.ts";
import { readRewards, scoreOf } from "../../src/tasks/read-reward.ts";
import { answerTask, writeTasks } from "./task-files.ts";

async function problemsOf(
  toml: string,
  files: Readonly<Record<string, string>> = {},
  ignored: readonly string[] = [],
): Promise<readonly string[]> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  await writeTasks(folder.path, "base", [answerTask("it", toml, files)]);
  return (await readTask(join(folder.path, "it"), ignored)).problems;
}

test.each([
  ["storage_mb", "[environment]\nstorage_mb = 10"],
  ["storage", '[environment]\nstorage = "10G"'],
  ["memory", '[environment]\nmemory = "1G"'],
  ["gpus", "[environment]\ngpus = 1"],
  ["gpu_types", '[environment]\ngpu_types = ["T4"]'],
  ["tpu", '[environment.tpu]\ntype = "v4"\ntopology = "2x2"'],
  ["os", '[environment]\nos = "Windows"'],
  ["mcp_servers", '[[environment.mcp_servers]]\nname = "a"\nurl = "http://b"'],
  ["skills_dir", '[environment]\nskills_dir = "/skills"'],
  ["network_mode", '[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["a.b"]'],
  ["allowed_hosts", '[environment]\nallowed_hosts = ["a.b"]'],
])("environment.%s is refused by name, or disregarded when asked", async (member, toml) => {
  expect(await problemsOf(toml)).toEqual([expect.stringMatching(`^environment\\.${member}: `)]);
  expect(await problemsOf(toml, {}, [`environment.${member}`])).toEqual([]);
});

test.each([
  [
    "verifier.environment",
    '[verifier]\nenvironment_mode = "shared"\n[verifier.environment]\ncpus = 1',
  ],
  ["verifier.network_mode", '[verifier]\nnetwork_mode = "allowlist"'],
  ["agent.network_mode", '[agent]\nnetwork_mode = "allowlist"'],
  ["verifier.environment.gpus", "[verifier.environment]\ngpus = 2"],
  ["verifier.collect.0.service", '[[verifier.collect]]\ncommand = "x"\nservice = "db"'],
  ["artifacts.0.service", '[[artifacts]]\nsource = "/a"\nservice = "db"'],
  ["artifacts.0.source", 'artifacts = ["a"]'],
  ["artifacts.0.destination", '[[artifacts]]\nsource = "/a"\ndestination = "b"'],
  ["artifacts.0.exclude", '[[artifacts]]\nsource = "/a"\nexclude = ["*.o"]'],
  [
    "steps.0.verifier.environment.tpu",
    '[[steps]]\nname = "a"\n[steps.verifier.environment.tpu]\ntype = "v"\ntopology = "1x1"',
  ],
])("%s is refused by name", async (member, toml) => {
  const files = { "steps/a/instruction.md": "Do." };
  expect(await problemsOf(toml, files)).toEqual([
    expect.stringMatching(`^${member.replaceAll(".", "\\.")}: `),
  ]);
});

test.each([
  ["task.toml: ", "a = ["],
  ["schema_version: 2.0 is not known", 'schema_version = "2.0"'],
  ["environment: .*cpu", "[environment]\ncpu = 1"],
  ["environment\\.cpus: ", "[environment]\ncpus = -1"],
  ["environment\\.network_mode: ", '[environment]\nnetwork_mode = "some"'],
  ["agent\\.timeout_sec: ", '[agent]\ntimeout_sec = "1"'],
  ["task\\.name: must be org/name", '[task]\nname = "x"'],
  ["artifacts\\.0", 'artifacts = ["/a/../b"]'],
  ["steps: ", "steps = []"],
])("what is not in the schema is refused by name: %s", async (message, toml) => {
  const [problem = ""] = await problemsOf("", { "task.toml": toml });
  expect(problem).toMatch(new RegExp(`^${message}`));
});

test("files that a task must have, and those that cannot be obeyed, are named", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  await writeTasks(folder.path, "base", [answerTask("it", '[[steps]]\nname = "a"\n')]);
  const path = join(folder.path, "it");
  await rm(join(path, "environment/Dockerfile"));
  await rm(join(path, "tests"), { recursive: true });
  await writeFile(join(path, "environment/docker-compose.yaml"), "services: {}");
  await mkdir(join(path, "solution/more"));
  await symlink("/etc/passwd", join(path, "solution/more/link"));
  expect((await readTask(path)).problems).toEqual([
    "environment/docker-compose.yaml: several containers are not run",
    "environment: needs a Dockerfile or docker_image",
    "steps/a/tests/test.sh: cannot be found",
    "solution/more/link: the link leads out of the task",
    "steps/a/instruction.md: cannot be read",
  ]);
});

test.each([
  [{ "reward.txt": " 1\n" }, 1],
  [{ "reward.txt": "-2.5e-1" }, -0.25],
  [{ "reward.json": '{"reward": true, "other": 0}' }, 1],
  [{ "reward.json": '{"accuracy": 0.5}', "reward.txt": "1" }, 0.5],
  [{}, /neither reward.txt nor reward.json/],
  [{ "reward.txt": "" }, /empty/],
  [{ "reward.txt": "nan" }, /finite number/],
  [{ "reward.txt": "1e999" }, /finite number/],
  [{ "reward.txt": "0x10" }, /finite number/],
  [{ "reward.json": "{" }, /not JSON/],
  [{ "reward.json": "[1]" }, /an object/],
  [{ "reward.json": '{"reward": "1"}' }, /'reward' must be a finite number/],
  [{ "reward.json": '{"reward": 1e999}' }, /'reward' must be a finite number/],
  [{ "reward.json": '{"a": 1, "b": 0}' }, /must have 'reward' among a, b/],
])("the reward of %j", async (files, expected) => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  const read = readRewards(folder.path).then(scoreOf);
  if (typeof expected === "number") expect(await read).toBe(expected);
  else await expect(read).rejects.toThrow(expected);
});

test("a reward that is a link is none", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  await writeFile(join(folder.path, "one"), "1");
  await symlink("one", join(folder.path, "reward.txt"));
  await expect(readRewards(folder.path)).rejects.toThrow("a file of its own");
});
