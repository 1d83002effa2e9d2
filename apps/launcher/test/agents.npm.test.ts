import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { isLeftOut, temporaryFolder, waitFor } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ignoredMembers, installed } from "./agents/installed-programs.ts";
import { asidesOf, metaOf, outlineOf, sessionsOf, stepsOf } from "./agents/recorded-steps.ts";
import { runAgent } from "./agents/run-agent.ts";
import { lastWord, type ScriptedModel, startScriptedModel } from "./agents/scripted-model.ts";
import { type Gateway, startGateway, startLauncher } from "./launcher.ts";

interface AgentLineage {
  readonly id: string | null;
}

const max_steps = 5;
const writes = ["echo one >> steps.txt", "echo two >> steps.txt"];

let model: ScriptedModel;
let gateway: Gateway;

beforeAll(async () => {
  model = await startScriptedModel({ commands: writes, firstStatus: 429 });
  const endpoints = ["chat_completions", "responses", "messages"];
  const when = [
    { name: "title", system: "title generator" },
    { name: "memory", system: "memory extraction" },
  ];
  const route = { base_url: model.url, endpoints };
  const policy = { ...route, side_calls: { route: "aside", when } };
  gateway = await startGateway({
    max_steps,
    llm_routes: {
      demo: policy,
      patient: { ...policy, upstream_model: "demo", retries: 1 },
      aside: { ...route, upstream_model: "aside" },
    },
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

describe.concurrent.each(installed)("$name $version", (program) => {
  const { name, recipe, route, resume, aside } = program;
  const bin = program.bin ?? "";
  const leftOut = isLeftOut(
    `the program ${name}`,
    program.bin !== null,
    "it needs npm and its registry",
  );
  const place = (folder: string, session_id: string) => ({
    ...{ bin, folder, session_id },
    gateway_base_url: gateway.url,
  });

  test.skipIf(leftOut)("works on a task, and can continue it", { timeout: 330_000 }, async () => {
    const env_params = { prompt: "Write the steps down.", files: { "docs/notes.txt": "read me" } };
    await gateway.write(`${name}.yaml`, JSON.stringify([{ simulation_id: "it", env_params }]));
    const judge = `node -e 'const {workdir, result} = JSON.parse(require("fs").readFileSync(0)); const read = (name) => require("fs").readFileSync(workdir + "/" + name, "utf8"); console.log(read("steps.txt") === "one\\ntwo\\n" && read("docs/notes.txt") === "read me" && result.metrics.answer.includes("${lastWord}") ? 1 : 0)'`;
    await using launcher = startLauncher(
      [
        ...["run", `${name}.yaml`, "--agent", name, "--llm-model", route, "--job-id", name],
        ...["--db-path", gateway.db_url, "--gateway-base-url", gateway.url],
        ...["--evaluator-command", judge, "--workdirs", "kept"],
      ],
      { cwd: gateway.folder, env: { PATH: `${bin}${delimiter}${process.env.PATH}` } },
    );
    const { code } = await launcher.exit(150_000);
    expect(launcher.stderr).toBe("");
    expect(launcher.stdout).toMatch(/finished +it {2}reward 1,/);
    expect(code).toBe(0);

    const [root = ""] = await sessionsOf(gateway, name);
    const steps = await stepsOf(gateway, root);
    expect(steps.length).toBe(model.asked(root).length - (route === "patient" ? 1 : 0));
    expect(outlineOf(steps)).toEqual(
      route === "patient"
        ? [200, 200, 200].map((status_code, at) => {
            return { step_id: at + 1, status_code, retry_of: null, attempts: at === 0 ? 2 : 1 };
          })
        : [429, 200, 200, 200].map((status_code, at) => {
            return { step_id: at + 1, status_code, retry_of: at === 1 ? 1 : null, attempts: 1 };
          }),
    );
    // The reward is on the answer, whatever side calls followed it.
    const rewarded = steps.filter(({ is_terminal }) => is_terminal);
    expect(rewarded.map((step) => step.model)).toEqual([route]);
    expect(rewarded[0]?.response?.toString()).toContain(lastWord);

    const ignored = await ignoredMembers(name);
    if (ignored !== null) {
      await using replay = startLauncher(
        [
          ...["run", "--replay-from", name, "--replay-ignore", ignored, "--agent", name],
          ...["--llm-model", route, "--job-id", `${name}-again`, "--evaluator-command", judge],
          ...["--db-path", gateway.db_url, "--gateway-base-url", gateway.url],
        ],
        { cwd: gateway.folder, env: { PATH: `${bin}${delimiter}${process.env.PATH}` } },
      );
      expect((await replay.exit(150_000)).code, replay.stdout).toBe(0);
      const [again = ""] = await sessionsOf(gateway, `${name}-again`);
      expect(model.asked(again)).toEqual([]);
      const origins = (await stepsOf(gateway, again)).map((step) => metaOf(step).replayed_from);
      expect(origins.length).toBeGreaterThan(2);
      for (const origin of origins) expect(origin).toMatchObject({ session_id: root });
    }

    // Resumed in a new session, whose budget it then uses up.
    const session_id = `${name}-resumed`;
    const folder = join(gateway.folder, "kept", root);
    model.play(session_id, { commands: [], isEndless: true });
    const resumed = await runAgent(recipe, place(folder, session_id), "Go on forever.", resume);
    expect(await resumed.ended, resumed.output()).toBe(0);
    const more = await stepsOf(gateway, session_id);
    expect(more[0]?.messages?.toString()).toContain("Write the steps down.");
    expect(more[0]?.messages?.toString()).toContain(lastWord);
    expect(outlineOf(more)).toHaveLength(max_steps);
    expect(model.asked(session_id)).toHaveLength(more.length);
    const answer = await readFile(join(folder, "home/answer"), "utf8");
    expect(answer).toContain("step budget reached");
  });

  test.skipIf(leftOut)(
    "its side calls and subagents are distinguished",
    {
      timeout: 120_000,
    },
    async () => {
      await using folder = await temporaryFolder();
      const session_id = `${name}-delegates`;
      model.play(session_id, { commands: [], delegates: name !== "qwen-code" });
      // Without a given title, opencode asks the model for one.
      const run = await runAgent(
        recipe,
        place(folder.path, session_id),
        "Let others do it.",
        (command) => command.replace(" --title simulation", ""),
      );
      expect(await run.ended, run.output()).toBe(0);
      const steps = await stepsOf(gateway, session_id);
      expect(asidesOf(steps)).toEqual(aside);
      const own = steps.filter((step) => step.model === "demo");
      const agents = own.map((step) => (metaOf(step).agent as AgentLineage | undefined) ?? null);
      // Its own first step, the subagent's, and its summary of that; qwen-code does not say which agent asks.
      expect(new Set(agents.map((agent) => (agent?.id ?? null) === null))).toEqual(
        new Set(name === "qwen-code" ? [true] : [true, false]),
      );
      // Subagents work beside it, and rows arrive in the order in which steps end.
      const numbers = own.map(({ step_id }) => step_id).sort((a, b) => a - b);
      expect(numbers).toEqual(own.map((_, at) => at + 1));
      const latest = `${gateway.url}/v1/sessions/${session_id}/latest-success-step?model=demo`;
      expect(await (await fetch(latest)).json()).toMatchObject({ step_id: own.length });
    },
  );

  test.skipIf(leftOut)("ends when its session is closed", async () => {
    await using folder = await temporaryFolder();
    const session_id = `${name}-closed`;
    await fetch(`${gateway.url}/v1/sessions/${session_id}/close?wait=10`, { method: "POST" });
    const run = await runAgent(recipe, place(folder.path, session_id), "Begin.");
    await run.ended;
    const answer = await readFile(join(folder.path, "home/answer"), "utf8").catch(() => "");
    expect(run.output() + answer).toMatch(/is closed/);
    expect(model.asked(session_id)).toEqual([]);
  });

  test.skipIf(leftOut)("leaves its step recorded when it is ended", async () => {
    await using folder = await temporaryFolder();
    const session_id = `${name}-cancelled`;
    model.play(session_id, { commands: [], isSilent: true });
    const run = await runAgent(recipe, place(folder.path, session_id), "Begin.");
    const asked = await waitFor(
      () => model.asked(session_id).find(({ body }) => !/"model":"aside"/.test(body.toString())),
      "the program's first request",
      60_000,
    );
    run.kill();
    await run.ended;
    await asked.closed();
    const [step] = await waitFor(async () => {
      const steps = outlineOf(await stepsOf(gateway, session_id));
      return steps.length > 0 ? steps : null;
    }, "the row of the step");
    expect(step).toMatchObject({ step_id: 1, status_code: 499 });
  });
});
