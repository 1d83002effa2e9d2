import { chmod, mkdir, readdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ended, type Gateway, launch, startGateway } from "./launcher.ts";

// The launcher's part of a recipe, with a script in the program's place: agents.npm.test.ts has the real programs.

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
  await mkdir(join(gateway.folder, "bin"));
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** Runs a simulation with the script as the program `codex`. */
async function play(job_id: string, script: string, env_params: unknown): Promise<Ended> {
  const program = join(gateway.folder, "bin", "codex");
  await gateway.write("bin/codex", `#!/usr/bin/env node\n${script}\n`);
  await chmod(program, 0o755);
  await gateway.write("s.yaml", JSON.stringify([{ simulation_id: "a", env_params }]));
  const judge = `node -e 'const {workdir, result} = JSON.parse(require("fs").readFileSync(0)); console.log(JSON.stringify({ score: require("fs").readdirSync(workdir).length, truncated: result.truncated }))'`;
  return launch(
    [
      ...["run", "s.yaml", "--agent", "codex", "--llm-model", "demo", "--job-id", job_id],
      ...["--db-path", gateway.db_url, "--gateway-base-url", gateway.url],
      ...["--evaluator-command", judge, "--workdirs", job_id],
    ],
    {
      cwd: gateway.folder,
      env: { PATH: `${join(gateway.folder, "bin")}${delimiter}${process.env.PATH}` },
    },
  );
}

/** Takes a step, as the recipe's configuration says, and then some time. */
const slow = `
const { readFileSync, writeFileSync } = require("node:fs");
const config = readFileSync(process.env.CODEX_HOME + "/config.toml", "utf8");
const [, base_url] = /^base_url = "(.*)"$/m.exec(config);
const messages = [{ role: "user", content: "Hello" }];
const body = JSON.stringify({ model: "demo", messages });
fetch(base_url + "/chat/completions", { method: "POST", body }).then(async (answer) => {
  await answer.text();
  writeFileSync("work.txt", "half");
  writeFileSync(process.env.HOME + "/answer", "Not done.");
  setTimeout(() => {}, 600_000);
});
`;

test("its time limit ends a program, and its folder is scored as it is", async () => {
  const files = { "docs/notes.txt": "read me" };
  const params = { prompt: "Work.", files, time_limit_s: 5 };
  const { code, stdout, stderr } = await play("limited", slow, params);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  // The given folder, and what the program wrote.
  expect(stdout).toMatch(/finished +a {2}reward 2,/);
  const [session = ""] = await readdir(join(gateway.folder, "limited"));
  const home = join(gateway.folder, "limited", session, "home");
  expect(await readFile(join(home, "prompt"), "utf8")).toBe("Work.");
  const shown = await launch(["show", session, "--json", "--db-path", gateway.db_url]);
  const { environment } = JSON.parse(shown.stdout);
  expect(JSON.parse(environment.result)).toMatchObject({
    ...{ status: "completed", truncated: true, truncated_by: "time_limit", terminated: false },
    metrics: { agent: "codex", answer: "Not done." },
  });
  const told = (await launch(["show", session, "--db-path", gateway.db_url])).stdout;
  expect(told).toMatch(/^cut off +its time limit ran out$/m);
  // The agent stated no number of steps.
  expect(told).not.toMatch(/^result .*(step_count|terminated)/m);
});

test("a program that fails fails its simulation, with the end of its output", async () => {
  const { code, stdout } = await play("failed", 'console.error("no model"); process.exit(4)', {
    prompt: "Work.",
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/failed +a {2}runtime_exited: no model .*exited with code 4/);
});

test.each([
  [{}, "env_params.prompt must be the text of the task"],
  [{ prompt: "x", time_limit_s: 0 }, "env_params.time_limit_s must be a number of seconds"],
  [{ prompt: "x", files: ["a"] }, "env_params.files must be an object that maps paths to texts"],
  [{ prompt: "x", files: { a: 1 } }, "env_params.files: a must be a text"],
  [{ prompt: "x", files: { "../a": "" } }, "env_params.files: ../a must be a path in the agent's"],
  [{ prompt: "x", files: { "/a": "" } }, "env_params.files: /a must be a path in the agent's"],
])("a task that cannot be set fails before the program starts: %j", async (params, message) => {
  const starts = `require("node:fs").writeFileSync("${gateway.folder}/started", "")`;
  const job_id = `refused-${message.length}-${JSON.stringify(params).length}`;
  const { code, stdout } = await play(job_id, starts, params);
  expect(code).toBe(1);
  expect(stdout).toContain(`runtime_not_started: agent codex: ${message}`);
  expect(await readdir(gateway.folder)).not.toContain("started");
});

/** Runs a simulation with a recipe file. */
async function playRecipe(job_id: string, recipe: unknown): Promise<Ended> {
  await gateway.write(`${job_id}.yaml`, JSON.stringify(recipe));
  await gateway.write(
    "s.yaml",
    JSON.stringify([{ simulation_id: "a", env_params: { prompt: "Hi" } }]),
  );
  const judge = `node -e 'const {result} = JSON.parse(require("fs").readFileSync(0)); console.log(result.metrics.answer === "it: Hi" ? 1 : 0)'`;
  return launch(
    [
      ...["run", "s.yaml", "--agent-file", `${job_id}.yaml`, "--llm-model", "demo"],
      ...["--db-path", gateway.db_url, "--gateway-base-url", gateway.url, "--job-id", job_id],
      ...["--evaluator-command", judge],
    ],
    { cwd: gateway.folder },
  );
}

test("a recipe file runs a program that the launcher does not know", async () => {
  const step = `const { base } = JSON.parse(require("fs").readFileSync(process.env.HOME + "/.it/it.json"));
fetch(base + "/chat/completions", { method: "POST", body: JSON.stringify({ model: process.env.MODEL, messages: [{ role: "user", content: "Hello" }] }) }).then((answer) => process.exit(answer.ok ? 7 : 1));`;
  const { code, stdout, stderr } = await playRecipe("own", {
    name: "it",
    files: { ".it/it.json": { base: "{{llm_base_url}}" }, ".it/run.cjs": step },
    env: { MODEL: "{{llm_model}}" },
    command: `"${process.execPath}" "$HOME/.it/run.cjs"; code=$?; echo "it: $(cat "$HOME/prompt")" > "$HOME/said"; exit $code`,
    answer_file: "said",
    exit_codes: [0, 7],
  });
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/finished +a {2}reward 1,/);
});

test("a program that is not installed: how to get it", async () => {
  const { code, stdout } = await playRecipe("missing", {
    name: "it",
    install: "pip install it",
    command: 'no-such-agent < "$HOME/prompt"',
  });
  expect(code).toBe(1);
  expect(stdout).toContain(
    "runtime_exited: a program is missing where the agent runs: get it with pip install it (agent it exited with code 127)",
  );
  const [, session = ""] = /failed +a .*session (\S+)/.exec(stdout) ?? [];
  const shown = await launch(["show", session, "--db-path", gateway.db_url]);
  expect(shown.stdout).toMatch(/^status +failed\n[\s\S]*\n\(no model call was recorded\)\n$/m);
});

test("a recipe file that is wrong is refused before anything starts", async () => {
  const { code, stderr } = await playRecipe("wrong", { name: "it", comand: "x", exit_codes: [-1] });
  expect(code).toBe(2);
  expect(stderr).toMatch(/wrong\.yaml: .*command: [\s\S]*exit_codes\.0: [\s\S]*comand/);
});
