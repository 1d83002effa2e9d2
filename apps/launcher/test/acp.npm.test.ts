import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { AgentEvent } from "@proj/gateway-protocol";
import { acpPrograms, isLeftOut, npmProgram } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionsOf, stepsOf } from "./agents/recorded-steps.ts";
import { lastWord, type ScriptedModel, startScriptedModel } from "./agents/scripted-model.ts";
import { type Gateway, startGateway, startLauncher } from "./launcher.ts";

/** Programs over the protocol by the names of their recipes, each from npm, pinned. */
const programs = await Promise.all(
  Object.entries(acpPrograms).map(async ([name, { npmPackage, version }]) => ({
    ...{ name, version },
    bin: await npmProgram(npmPackage, version),
  })),
);

const writes = ["echo one >> steps.txt", "echo two >> steps.txt"];

let model: ScriptedModel;
let gateway: Gateway;

beforeAll(async () => {
  model = await startScriptedModel({ commands: writes });
  const endpoints = ["chat_completions", "responses", "messages", "generate_content"];
  gateway = await startGateway({ llm_routes: { demo: { base_url: model.url, endpoints } } });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

describe.each(programs)("$name $version", ({ name, bin }) => {
  const leftOut = isLeftOut(
    `the program ${name} over ACP`,
    bin !== null,
    "it needs npm and its registry",
  );

  test.skipIf(leftOut)("tells of the tools that it used", { timeout: 200_000 }, async () => {
    const env_params = {
      prompt: "Write the steps down.",
      user: { turns: ["Thank you."] },
      time_limit_s: 150,
    };
    await gateway.write(`${name}.yaml`, JSON.stringify([{ simulation_id: "it", env_params }]));
    const judge = `node -e 'const {workdir} = JSON.parse(require("fs").readFileSync(0)); console.log(require("fs").readFileSync(workdir + "/steps.txt", "utf8") === "one\\ntwo\\n" ? 1 : 0)'`;
    await using launcher = startLauncher(
      [
        ...["run", `${name}.yaml`, "--agent", `acp:${name}`, "--llm-model", "demo"],
        ...["--db-path", gateway.db_url, "--gateway-base-url", gateway.url, "--job-id", name],
        ...["--evaluator-command", judge, "--workdirs", "kept"],
      ],
      { cwd: gateway.folder, env: { PATH: `${bin}${delimiter}${process.env.PATH}` } },
    );
    await launcher.exit(180_000);
    const printed = launcher.stdout + launcher.stderr;
    expect(printed, printed).toMatch(/finished +it {2}reward 1,/);

    const [session = ""] = await sessionsOf(gateway, name);
    await using shown = startLauncher(["show", session, "--json", "--db-path", gateway.db_url], {
      cwd: gateway.folder,
    });
    await shown.exit(60_000);
    const { environment } = JSON.parse(shown.stdout);
    const { metrics } = JSON.parse(environment.result);
    expect(metrics.answer).toContain(lastWord);
    const events: AgentEvent[] = metrics.events;
    const turns = events.flatMap((event) => (event.kind === "turn" ? [event.text] : []));
    expect(turns).toEqual(["Write the steps down.", "Thank you."]);
    // What it told equals what it did: a call for each command, in order, and nothing else was written.
    const calls = events.flatMap((event) => (event.kind === "tool_call" ? [event] : []));
    expect(calls.map(({ status }) => status)).toEqual(["completed", "completed"]);
    for (const [at, command] of writes.entries())
      expect(`${calls[at]?.title} ${calls[at]?.input}`).toContain(command);
    for (const { at, ended_at } of calls)
      expect(Date.parse(ended_at ?? "")).toBeGreaterThanOrEqual(Date.parse(at));
    const written = await readFile(join(gateway.folder, "kept", session, "work/steps.txt"), "utf8");
    expect(written).toBe("one\ntwo\n");
    // The second turn continues the first one's conversation.
    const steps = await stepsOf(gateway, session);
    expect(steps.some(({ messages }) => messages?.includes("SUGGESTION MODE"))).toBe(false);
    expect(steps.filter(({ status_code }) => status_code !== 200)).toEqual([]);
    expect(steps.some(({ messages }) => messages?.toString().includes("Thank you."))).toBe(true);
  });
});
