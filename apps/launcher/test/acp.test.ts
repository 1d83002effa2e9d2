import { fileURLToPath } from "node:url";
import { chatCompletion, startFaultyUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { sessionsOf, stepsOf } from "./agents/recorded-steps.ts";
import { launch, startGateway } from "./launcher.ts";

const agent = fileURLToPath(new URL("agents/acp-agent.ts", import.meta.url));
const judge = `node -e 'const {workdir} = JSON.parse(require("fs").readFileSync(0)); console.log(require("fs").readFileSync(workdir + "/turns.txt", "utf8").split("\\n").length)'`;

test("an agent over the protocol talks with a simulated user; all of it is recorded and shown", async () => {
  await using upstream = await startFaultyUpstream((request, reply) => {
    const said = request.body.toString();
    const persona = said.includes("You are in a hurry.");
    const isOver = persona && said.includes("second words");
    const content = isOver ? "[DONE]" : persona ? "the second words" : "as you say";
    reply.json(chatCompletion({ content }));
  });
  const routes = { demo: { base_url: upstream.url }, person: { base_url: upstream.url } };
  await using gateway = await startGateway({ llm_routes: routes });
  const user = { persona: "You are in a hurry.", route: "person" };
  const env_params = { prompt: "the first words", user };
  await gateway.write("s.yaml", JSON.stringify([{ simulation_id: "it", env_params }]));
  const ran = await launch(
    [
      ...[
        "run",
        "s.yaml",
        "--agent",
        `acp:"${process.execPath}" "${agent}"`,
        "--llm-model",
        "demo",
      ],
      ...["--db-path", gateway.db_url, "--gateway-base-url", gateway.url, "--job-id", "talk"],
      ...["--evaluator-command", judge],
    ],
    { cwd: gateway.folder },
  );
  expect(ran.stdout + ran.stderr).toMatch(/finished +it {2}reward 2,/);
  const [session = ""] = await sessionsOf(gateway, "talk");
  expect((await stepsOf(gateway, session)).map(({ model }) => model)).toEqual(["demo", "demo"]);
  const asked = await stepsOf(gateway, `user-${session}`);
  expect(asked.map(({ model }) => model)).toEqual(["person", "person"]);
  const stored = ["--db-path", gateway.db_url];
  const shown = await launch(["show", session, ...stored], { cwd: gateway.folder });
  expect(shown.stdout).toMatch(
    /asked: the first words\n.*edit: write \(completed, .*\)\n.*asked: the second words\n.*edit: write/,
  );
  const exported = await launch(["export", "--job-id", "talk", "--format", "atif", ...stored], {
    cwd: gateway.folder,
  });
  expect(JSON.parse(exported.stdout).extra.events).toHaveLength(4);
});

test.each([
  [["--agent", "acp:"], "must be "],
  [["--agent", "acp:codex"], "--agent acp:codex needs --evaluator-command or --evaluator-url"],
  [["--agent-file", "own.yaml"], "--agent-file needs --evaluator-command or --evaluator-url"],
  [["--agent", "acp:pi", "--evaluator-command", "true"], "does not speak the protocol"],
  [["--agent", "pi", "--permissions", "p.yaml"], "--permissions needs --agent acp:COMMAND"],
])("%j is refused", async (args, message) => {
  const { code, stderr } = await launch(["run", "s.yaml", "--llm-model", "demo", ...args]);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});
