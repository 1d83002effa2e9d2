import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { agentCommand, type Gateway, launch, startGateway } from "./launcher.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const api_key = "the-launchers-key";
const session_secret = "a secret of the gateway";

let gateway: Gateway;
beforeAll(async () => {
  const auth = { api_keys: [api_key], session_secret };
  gateway = await startGateway({ auth });
  await gateway.write("s.yaml", "- { simulation_id: a }");
  await gateway.write("key", `${api_key}\n`);
  await gateway.write("secret", session_secret);
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** Runs a job with an agent and an evaluator that record what the system shows of the launcher. */
async function spyOn(
  job_id: string,
  { env, more }: { readonly env?: Record<string, string>; readonly more?: string[] },
) {
  const notes = join(gateway.folder, `${job_id}-notes`);
  const spy = `(env; tr '\\0' '\\n' </proc/$PPID/environ; tr '\\0' '\\n' </proc/$PPID/cmdline; ls -l /proc/$PPID/fd; cat /proc/$PPID/fd/3 </dev/null) >> ${notes} 2>&1 &`;
  const agent = `${spy} sleep 0.2; exec ${agentCommand}`;
  const args = gateway.run("s.yaml", "--job-id", job_id, "--runtime-command", agent);
  args.push("--evaluator-command", `${spy} sleep 0.2; cat >/dev/null; echo 1`, ...(more ?? []));
  const options = env === undefined ? {} : { env };
  const ended = await launch(args, { cwd: gateway.folder, ...options });
  return { ...ended, notes: await readFile(notes, "utf8") };
}

test.runIf(process.platform === "linux")(
  "secrets in variables and on the command line are out of an agent's reach",
  async () => {
    const env = { GATEWAY_API_KEY: api_key, PGPASSWORD: "of-the-database" };
    const more = ["--session-secret", session_secret];
    const { code, stdout, notes } = await spyOn("spied", { env, more });
    expect(stdout).toContain("1 simulation: 1 finished");
    expect(code).toBe(0);
    expect(notes).toContain("--runtime-command");
    expect(notes).not.toMatch(/the-launchers-key|a secret of|of-the-database/);
  },
);

test("secrets come from files and descriptors too", async () => {
  const more = ["--gateway-api-key-file", "key", "--session-secret-file", "secret"];
  await writeFile(join(gateway.folder, "url"), gateway.db_url);
  const { code, stdout, notes } = await spyOn("files", {
    more: [...more, "--db-path-file", "url"],
  });
  expect(stdout).toContain("1 simulation: 1 finished");
  expect(stdout).not.toContain("warning");
  expect(code).toBe(0);
  expect(notes).not.toMatch(/the-launchers-key|a secret of/);
  const missing = gateway.run("s.yaml", "--gateway-api-key-file", "missing");
  const refused = await launch(missing, { cwd: gateway.folder });
  expect(refused.stderr).toMatch(
    /--gateway-api-key-file cannot be read: no such file or folder: 'missing'/,
  );
  expect(refused.code).toBe(2);
});

test("the launcher warns of agents that get the gateway's own key", async () => {
  const args = gateway.run("s.yaml", "--job-id", "warned", "--gateway-api-key-file", "key");
  const { stdout } = await launch(args, { cwd: gateway.folder });
  expect(stdout).toMatch(/warning: every agent gets the gateway's own key/);
  expect(stdout).toContain("--session-secret-file");
});
