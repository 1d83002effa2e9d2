import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { agentPrograms, isLeftOut, npmProgram } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionsOf, stepsOf } from "./agents/recorded-steps.ts";
import { lastWord, type ScriptedModel, startScriptedModel } from "./agents/scripted-model.ts";
import { type Gateway, startGateway, startLauncher } from "./launcher.ts";

/** Programs by the names of their recipes, each from npm, pinned. agents.npm.test.ts has the others. */
const programs = await Promise.all(
  [
    { name: "cline", npmPackage: "cline", version: "3.0.65" },
    { name: "copilot", npmPackage: "@github/copilot", version: "1.0.102" },
    { name: "gemini-cli", ...agentPrograms["gemini-cli"] },
    { name: "pi", npmPackage: "@mariozechner/pi-coding-agent", version: "0.73.1" },
  ].map(async (program) => ({
    ...program,
    bin: await npmProgram(program.npmPackage, program.version),
  })),
);

let model: ScriptedModel;
let gateway: Gateway;

beforeAll(async () => {
  model = await startScriptedModel({
    commands: ["echo one >> steps.txt", "echo two >> steps.txt"],
  });
  const endpoints = ["chat_completions", "responses", "messages", "generate_content"];
  gateway = await startGateway({ llm_routes: { demo: { base_url: model.url, endpoints } } });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

describe.each(programs)("$name $version", ({ name, bin }) => {
  const leftOut = isLeftOut(`the program ${name}`, bin !== null, "it needs npm and its registry");

  test.skipIf(leftOut)("works on a task by its recipe", { timeout: 200_000 }, async () => {
    const env_params = { prompt: '-- Write the steps down.\nThen "end".', time_limit_s: 120 };
    await gateway.write(`${name}.yaml`, JSON.stringify([{ simulation_id: "it", env_params }]));
    const judge = `node -e 'const {workdir} = JSON.parse(require("fs").readFileSync(0)); console.log(require("fs").readFileSync(workdir + "/steps.txt", "utf8") === "one\\ntwo\\n" ? 1 : 0)'`;
    await using launcher = startLauncher(
      [
        ...["run", `${name}.yaml`, "--agent", name, "--llm-model", "demo", "--job-id", name],
        ...["--db-path", gateway.db_url, "--gateway-base-url", gateway.url],
        ...["--evaluator-command", judge, "--workdirs", "kept"],
      ],
      { cwd: gateway.folder, env: { PATH: `${bin}${delimiter}${process.env.PATH}` } },
    );
    await launcher.exit(180_000);
    expect(launcher.stdout).toMatch(/finished +it {2}reward 1,/);
    const [session = ""] = await sessionsOf(gateway, name);
    const steps = await stepsOf(gateway, session);
    expect(steps.map(({ status_code }) => status_code)).toEqual([200, 200, 200]);
    expect(steps[0]?.messages?.toString()).toContain("Write the steps down.");
    const answer = await readFile(join(gateway.folder, "kept", session, "home/answer"), "utf8");
    expect(answer).toContain(lastWord);
  });
});
