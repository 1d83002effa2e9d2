import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { launch } from "./launcher.ts";

async function tasksWith(toml: string): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const files = {
    "task.toml": toml,
    "instruction.md": "Do it.",
    "environment/Dockerfile": "FROM scratch",
    "tests/test.sh": "#!/bin/sh",
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder.path, "one", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder.path;
}

test("check says what tasks need", async () => {
  const tasks = await tasksWith(
    `[environment]\ncpus = 2\nnetwork_mode = "no-network"\n[environment.env]\nKEY = "\${TASK_KEY}"\n[agent]\ntimeout_sec = 60\n`,
  );
  const { code, stdout } = await launch(["check", "--tasks", tasks]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout:
      "one: builds an image, 2 CPUs, network no-network, variables TASK_KEY, agent 60 s, verifier 600 s\n",
  });
});

test.each([["check"], ["run", "--agent", "oracle", "--llm-model", "demo"]])(
  "%s refuses by name what cannot be obeyed, unless it may be disregarded",
  async (...command) => {
    const tasks = await tasksWith("[environment]\nstorage_mb = 9\ngpus = 1\n");
    const given = [...command, "--tasks", tasks, "--ignore-field", "environment.gpus"];
    const { code, stdout, stderr } = await launch(given);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/one: environment\.storage_mb: /);
    expect(stderr).not.toContain("environment.gpus: ");
  },
);

test.each([
  [["--agent", "oracle", "--job-id", "j"], "--agent oracle needs --tasks"],
  [["--tasks", "t", "--runtime-command", "x"], "--tasks needs --agent or --agent-file"],
  [
    ["--tasks", "t", "--agent", "nop", "--runtime-sandbox", "bubblewrap"],
    "--tasks needs containers",
  ],
  [["--tasks", "t", "--agent", "nop", "--env", "A=1"], "--tasks and --env exclude each other"],
  [["--tasks", "t", "--agent", "nop", "s.yaml"], "--tasks excludes a file of simulations"],
])("%j is refused", async (given, message) => {
  const { code, stderr } = await launch(["run", "--llm-model", "demo", ...given]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
