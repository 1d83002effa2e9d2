import { helpText, loadProgram, ProgramError } from "@proj/program";
import { expect, test } from "vitest";
import { launcher } from "../src/main.ts";
import { runJob } from "../src/run/run.ts";
import { readPlan } from "../src/run/run-command.ts";
import { launch } from "./launcher.ts";

const needed = ["s.yaml", "--llm-model", "demo", "--runtime-command", "python agent.py"];

test("--help explains the program and each of its commands", async () => {
  const { code, stdout } = await launch(["--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Usage: launcher COMMAND");
  for (const command of (await loadProgram(launcher)).commands) {
    expect(stdout).toContain(`  ${command.name} `);
    expect(helpText(launcher, command)).toContain(`Usage: launcher ${command.name}`);
  }
});

test("--version prints the package's version", async () => {
  const { code, stdout } = await launch(["--version"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
});

test("missing options have the defaults that the help names", () => {
  expect(readPlan(needed, {})).toEqual({
    work: { simulations: "s.yaml" },
    db_path: "sqlite://data/gateway.db",
    gatewayApiKey: null,
    sessionSecret: null,
    serviceGatewayConfig: null,
    runtime: { command: "python agent.py" },
    tasks: null,
    options: expect.objectContaining({
      ...{ "job-id": null, "gateway-base-url": "http://127.0.0.1:8000", "llm-model": "demo" },
      ...{ "key-model": [], "key-expires": false, "key-max-steps": null },
      ...{ "key-requests-per-second": null, "require-tokens": false },
      ...{ "evaluator-command": null, "evaluator-url": null, "evaluation-attempts": 3 },
      ...{ env: [], workdirs: null, "runtime-cwd": null, "runtime-limit": [] },
      ...{ "runtime-sandbox": null, "runtime-user": null },
      ...{ concurrency: 8, "max-attempts": 1, "infrastructure-attempts": 3 },
      ...{ "queue-timeout": 86_400_000, "simulation-timeout": 3_600_000, "stop-grace": 30_000 },
      ...{ "evaluation-timeout": 600_000, "close-timeout": 120_000, "heartbeat-timeout": 60_000 },
      ...{ "otlp-endpoint": null, "min-reward": null, "failed-as": null, summary: null },
      json: false,
    }),
  });
});

test("options override the environment", () => {
  const environment = {
    GATEWAY_API_KEY: "key",
    GATEWAY_SESSION_SECRET: "secret",
    SERVICE_GATEWAY_CONFIG: "gateway.yaml",
  };
  expect(readPlan(needed, environment)).toMatchObject({
    gatewayApiKey: "key",
    sessionSecret: "secret",
    serviceGatewayConfig: "gateway.yaml",
  });
  const given = ["--gateway-api-key", "k", "--session-secret", "s", "--close-timeout", "0.5"];
  expect(readPlan([...needed, ...given], environment)).toMatchObject({
    gatewayApiKey: "k",
    sessionSecret: "s",
    options: { "close-timeout": 500 },
  });
});

const withUrl = ["s.yaml", "--llm-model", "m", "--runtime-url", "http://localhost/"];

test.each([
  [[], /run needs --llm-model.*run needs a file of simulations.*needs --runtime-command/s],
  [
    [...needed, "--concurrency", "0"],
    /--concurrency must be a whole number from 1 to 10000, not '0'/,
  ],
  [[...needed, "--close-timeout", "soon"], /--close-timeout must be a number of seconds/],
  [[...needed, "--runtime-url", "http://localhost/"], /exclude each other/],
  [[...withUrl, "--place", "slurm"], /--runtime-url and --place exclude each other/],
  [
    [...withUrl, "--runtime-limit", "cpu=1"],
    /--runtime-url and --runtime-limit exclude each other/,
  ],
  [[...needed, "more.yaml"], /run takes one SIMULATIONS, not also 'more.yaml'/],
])("a wrong command line reports everything that is wrong: %j", (args, message) => {
  expect(() => readPlan(args, {})).toThrow(message);
});

test.each([
  [["--gateway-base-url", "localhost:8000"], /--gateway-base-url: .*http\(s\):\/\/host/],
  [["--evaluator-url", "ftp://judge/"], /--evaluator-url: ftp:\/\/judge\/ is not an http/],
  [["--db-path", "mysql://u:hidden@db/x"], /--db-path must be sqlite.*'mysql:\/\/u:\*\*\*@db\/x'/],
  [[], /the simulations cannot be read: .*s\.yaml/],
])("a run reports wrong options before it asks the gateway: %j", async (more, message) => {
  const { signal } = new AbortController();
  const options = readPlan([...needed, ...more], {});
  const error = await runJob(options, { signal, urgent: signal, calledAs: "launcher" }).catch(
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(ProgramError);
  expect(error.exitCode).toBe(2);
  expect(String(error)).toMatch(message);
});

test("the program reports errors on standard error, and exits with 2", async () => {
  const { code, stdout, stderr } = await launch(["run", "--concurrency", "0"]);
  expect(stderr).toMatch(/^launcher: the command line is wrong:\n {2}run needs .*\n {2}/);
  expect(stderr).toContain("--concurrency must be");
  expect(stdout).toBe("");
  expect(code).toBe(2);
});
