import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A task folder: its files by their paths, and what each agent's work is worth. */
export interface TaskFiles {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly oracle: number;
  readonly nop: number;
}

/** Writes the task folders of the image into a folder. */
export async function writeTasks(
  folder: string,
  image: string,
  tasks: readonly TaskFiles[] = allTasks,
): Promise<void> {
  for (const { name, files } of tasks)
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, name, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text.replaceAll("@IMAGE@", image));
    }
}

const dockerfile = "FROM @IMAGE@\nWORKDIR /app\n";
const solve = "#!/bin/sh\necho 42 > /app/result\n";
const check = (condition: string): string =>
  `#!/bin/sh\nif ${condition}; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi\n`;
const hasResult = 'grep -q "^42$" /app/result';

/** A task whose answer is 42, with changes to its files. */
export const answerTask = (
  name: string,
  toml: string,
  files: Readonly<Record<string, string>> = {},
  rewards: Partial<Pick<TaskFiles, "oracle" | "nop">> = {},
): TaskFiles => ({
  name,
  oracle: 1,
  nop: 0,
  ...rewards,
  files: {
    "task.toml": `schema_version = "1.4"\n${toml}`,
    "instruction.md": "Write 42 into /app/result.\n",
    "environment/Dockerfile": dockerfile,
    "solution/solve.sh": solve,
    "tests/test.sh": check(hasResult),
    ...files,
  },
});

const stepFiles = (name: string, answer: string, test: string) => ({
  [`steps/${name}/instruction.md`]: `Write ${answer}.\n`,
  [`steps/${name}/solution/solve.sh`]: `#!/bin/sh\necho ${answer} >> /app/result\n`,
  [`steps/${name}/tests/test.sh`]: test,
});

export const allTasks: readonly TaskFiles[] = [
  answerTask("plain", ""),
  answerTask("old-version", "", { "task.toml": 'version = "1.0"\n' }),
  answerTask(
    "described",
    'source = "ours"\n[task]\nname = "ours/described"\nversion = "2"\nauthors = [{ name = "A" }]\n[metadata]\nlevel = "easy"\n',
  ),
  answerTask(
    "resources",
    "[environment]\ncpus = 0.5\nmemory_mb = 256\nbuild_timeout_sec = 120.0\n",
  ),
  answerTask("image", '[environment]\ndocker_image = "@IMAGE@"\nworkdir = "/tmp"\n', {
    "solution/solve.sh": "#!/bin/sh\necho 42 > result\n",
    "tests/test.sh": check('[ "$PWD" = /tmp ] && grep -q 42 /tmp/result'),
  }),
  answerTask("no-network", '[environment]\nnetwork_mode = "no-network"\n', {
    "tests/test.sh": check(`${hasResult} && ! grep -q eth0 /proc/net/dev`),
  }),
  answerTask("public", '[environment]\nnetwork_mode = "public"\n'),
  answerTask("variables", `[environment.env]\nANSWER = "\${TASK_NONE:-42}"\nPLAIN = "x y"\n`, {
    "solution/solve.sh": '#!/bin/sh\n[ "$PLAIN" = "x y" ] && echo $ANSWER > /app/result\n',
  }),
  answerTask("solution-variables", '[solution.env]\nANSWER = "42"\n', {
    "solution/solve.sh": "#!/bin/sh\necho $ANSWER > /app/result\n",
  }),
  answerTask("verifier-variables", '[verifier.env]\nEXPECTED = "42"\n', {
    "tests/test.sh": check('grep -q "^$EXPECTED$" /app/result'),
  }),
  answerTask(
    "healthy",
    '[environment.healthcheck]\ncommand = "touch /tmp/asked && [ -e /tmp/asked ]"\ninterval_sec = 0.1\n',
  ),
  answerTask("agent-user", "[agent]\nuser = 1000\n", {
    "environment/Dockerfile": `${dockerfile}RUN chmod 777 /app\n`,
    "solution/solve.sh": "#!/bin/sh\nid -u > /app/who; echo 42 > /app/result\n",
    "tests/test.sh": check(`${hasResult} && grep -q "^1000$" /app/who`),
  }),
  answerTask("verifier-user", "[verifier]\nuser = 1000\ntimeout_sec = 60\n", {
    "tests/test.sh": check(`${hasResult} && [ "$(id -u)" = 1000 ]`),
  }),
  answerTask(
    "partial",
    "",
    {
      "tests/test.sh": `#!/bin/sh\n${hasResult} && echo 0.25 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n`,
    },
    { oracle: 0.25 },
  ),
  answerTask(
    "json-reward",
    "",
    {
      "tests/test.sh": `#!/bin/sh\n${hasResult} && echo '{"reward": 0.5, "style": 1}' > /logs/verifier/reward.json || echo '{"reward": 0, "style": 0}' > /logs/verifier/reward.json\n`,
    },
    { oracle: 0.5 },
  ),
  answerTask(
    "both-rewards",
    "",
    {
      "tests/test.sh":
        "#!/bin/sh\necho 0.1 > /logs/verifier/reward.txt; echo '{\"reward\": 0.75}' > /logs/verifier/reward.json\n",
    },
    { oracle: 0.75, nop: 0.75 },
  ),
  answerTask(
    "negative",
    "",
    {
      "tests/test.sh": `#!/bin/sh\n${hasResult} && echo 1e0 > /logs/verifier/reward.txt || echo -1.5 > /logs/verifier/reward.txt\n`,
    },
    { nop: -1.5 },
  ),
  answerTask("test-files", "", {
    "tests/test.sh": check(
      'cmp_it() { [ "$(cat /app/result)" = "$(cat /tests/data/expected)" ]; }; cmp_it',
    ),
    "tests/data/expected": "42\n",
  }),
  answerTask(
    "separate",
    '[[artifacts]]\nsource = "/app/result"\n[verifier]\nenvironment_mode = "separate"\n',
    {
      "tests/test.sh": check(`${hasResult} && [ ! -e /app/other ]`),
      "solution/solve.sh": `${solve}touch /app/other\n`,
    },
  ),
  answerTask(
    "separate-image",
    '[[artifacts]]\nsource = "/app/result"\n[verifier.environment]\nworkdir = "/"\n',
    {
      "tests/Dockerfile":
        "FROM @IMAGE@\nRUN mkdir /tests /app\nCOPY test.sh /tests/test.sh\nRUN chmod +x /tests/test.sh\n",
    },
  ),
  answerTask("artifacts-folder", '[verifier]\nenvironment_mode = "separate"\n', {
    "solution/solve.sh": "#!/bin/sh\necho 42 > /logs/artifacts/result\n",
    "tests/test.sh": check("grep -q 42 /logs/artifacts/result"),
  }),
  answerTask("handed-over", "[verifier]\nuser = 1000\n", {
    "solution/solve.sh": `${solve}echo said; mkdir /logs/artifacts/deep; echo 1 > /logs/artifacts/deep/one\n`,
    "tests/test.sh": check(
      `touch /logs/agent/mine /logs/artifacts/mine && grep -q said /logs/agent/oracle.txt && grep -q 1 /logs/artifacts/deep/one`,
    ),
  }),
  answerTask(
    "collect",
    '[[artifacts]]\nsource = "/tmp/collected"\n[verifier]\nenvironment_mode = "separate"\n[[verifier.collect]]\ncommand = "cp /app/result /tmp/collected"\n',
    { "tests/test.sh": check("grep -q 42 /tmp/collected") },
  ),
  answerTask("two-steps", '[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n', {
    ...stepFiles("one", "1", check("grep -q 1 /app/result")),
    ...stepFiles("two", "2", check("grep -q 1 /app/result && grep -q 2 /app/result")),
  }),
  answerTask(
    "final-step",
    'multi_step_reward_strategy = "final"\n[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n',
    {
      ...stepFiles("one", "1", "#!/bin/sh\necho 0.5 > /logs/verifier/reward.txt\n"),
      ...stepFiles("two", "2", check("grep -q 2 /app/result")),
    },
  ),
  answerTask(
    "gated",
    '[[steps]]\nname = "one"\nmin_reward = 0.6\n[[steps]]\nname = "two"\n',
    {
      ...stepFiles("one", "1", "#!/bin/sh\necho 0.5 > /logs/verifier/reward.txt\n"),
      ...stepFiles("two", "2", check("true")),
    },
    { oracle: 0.5, nop: 0.5 },
  ),
  answerTask("prepared-step", '[[steps]]\nname = "one"\n', {
    ...stepFiles(
      "one",
      "1",
      check("grep -q 1 /app/result && grep -q here /app/given && [ -e /app/set-up ]"),
    ),
    "steps/one/workdir/given": "here\n",
    "steps/one/workdir/setup.sh": "touch /app/set-up\n",
  }),
];
