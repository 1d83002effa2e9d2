import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readSessionKey, type SimulationStartRequest } from "@proj/gateway-protocol";
import { expect, test, vi } from "vitest";
import { readPlan } from "../src/run/run-command.ts";
import { agentCommand, launch, startGateway } from "./launcher.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const api_key = "the-launchers-key";
const session_secret = "a secret of the gateway";

test("an agent's key has the given limits, and ends with its session", async () => {
  await using gateway = await startGateway({ auth: { api_keys: [api_key], session_secret } });
  await gateway.write("s.yaml", "- { simulation_id: a, env_params: { steps: 3 } }");
  const begun = Date.now();
  const { code, stdout } = await launch(
    gateway.run(
      ...["s.yaml", "--json", "--runtime-command", `tee ${gateway.folder}/start | ${agentCommand}`],
      ...["--key-model", "demo", "--key-model", "judge", "--key-max-steps", "2"],
      ...["--key-requests-per-second", "50", "--key-expires", "--simulation-timeout", "600"],
    ),
    {
      cwd: gateway.folder,
      env: { GATEWAY_API_KEY: api_key, GATEWAY_SESSION_SECRET: session_secret },
    },
  );
  expect(code).toBe(0);
  // The third call was answered with a synthetic stop.
  expect(stdout).toMatch(/"event":"simulation_finished".*"step_id":2\b/);

  const start: SimulationStartRequest = JSON.parse(
    await readFile(join(gateway.folder, "start"), "utf8"),
  );
  const key = start.llm_api_key ?? "";
  const scope = readSessionKey([session_secret], start.session_id, key);
  expect(scope).toMatchObject({
    models: ["demo", "judge"],
    max_steps: 2,
    requests_per_second: 50,
  });
  expect(1_000 * (scope?.expires_at ?? 0)).toBeGreaterThanOrEqual(begun + 600_000);
  expect(1_000 * (scope?.expires_at ?? 0)).toBeLessThan(Date.now() + 601_000);

  const late = await fetch(`${start.llm_base_url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "demo", messages: [] }),
  });
  expect(await late.json()).toMatchObject({ error: { code: "session_closed" } });
});

const needed = ["s.yaml", "--llm-model", "demo", "--runtime-command", "agent"];
const secret = ["--session-secret", session_secret];

test.each([
  [["--key-expires"], /--key-… limits keys of sessions, which need --session-secret-file/],
  [[...secret, "--key-model", "judge"], /--key-model leaves out --llm-model.*--key-model demo/],
  [[...secret, "--key-requests-per-second", "0"], /--key-requests-per-second must be a number of/],
  [[...secret, "--key-max-steps", "0"], /--key-max-steps must be a whole number from 1/],
])("an invalid limit is refused: %j", (more, message) => {
  expect(() => readPlan([...needed, ...more], {})).toThrow(message);
});
