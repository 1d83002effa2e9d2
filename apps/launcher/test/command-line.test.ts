import { expect, test } from "vitest";
import { parseCommandLine } from "../src/command-line/parse-command-line.ts";
import { usage } from "../src/command-line/usage.ts";
import { UsageError } from "../src/command-line/usage-error.ts";
import { run } from "../src/run/run.ts";
import { launch } from "./launcher.ts";

const needed = ["run", "s.yaml", "--llm-model", "demo", "--runtime-command", "python agent.py"];

test("--help says how to use the program and each of its commands", async () => {
  const { code, stdout } = await launch(["--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Usage: launcher COMMAND");
  for (const command of ["run", "status", "show", "export"] as const) {
    expect(stdout).toContain(`  ${command} `);
    expect(parseCommandLine([command, "--help"], {})).toEqual({ kind: "help", of: command });
  }
  expect(usage("run")).toContain("Usage: launcher run");
});

test("--version prints the package's version", async () => {
  const { code, stdout } = await launch(["--version"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
});

test("what is left out has the defaults of the help", () => {
  expect(parseCommandLine(needed, {})).toEqual({
    kind: "run",
    options: {
      simulations: "s.yaml",
      job_id: null,
      db_path: "sqlite://data/gateway.db",
      gatewayBaseUrl: "http://127.0.0.1:8000",
      gatewayApiKey: null,
      sessionSecret: null,
      serviceGatewayConfig: null,
      llm_model: "demo",
      runtime: { command: "python agent.py" },
      evaluator: null,
      concurrency: 8,
      maxAttempts: 1,
      timeouts: { simulationMs: 3_600_000, evaluationMs: 600_000, closeMs: 120_000 },
      heartbeatTimeoutMs: 60_000,
      json: false,
    },
  });
});

test("options win over the environment", () => {
  const environment = {
    GATEWAY_API_KEY: "key",
    GATEWAY_SESSION_SECRET: "secret",
    SERVICE_GATEWAY_CONFIG: "gateway.yaml",
  };
  expect(parseCommandLine(needed, environment)).toMatchObject({
    options: {
      gatewayApiKey: "key",
      sessionSecret: "secret",
      serviceGatewayConfig: "gateway.yaml",
    },
  });
  const given = ["--gateway-api-key", "k", "--session-secret", "s", "--close-timeout", "0.5"];
  expect(parseCommandLine([...needed, ...given], environment)).toMatchObject({
    options: { gatewayApiKey: "k", sessionSecret: "s", timeouts: { closeMs: 500 } },
  });
});

test.each([
  [[], /say what to do: run, status, show, export/],
  [["stauts"], /unknown command 'stauts'; did you mean 'status'\?/],
  [["run", "--frob"], /'--frob'/],
  [["run"], /needs a file of simulations.*needs --llm-model.*needs --runtime-command/s],
  [
    [...needed, "--concurrency", "0"],
    /--concurrency must be a whole number from 1 to 10000, not '0'/,
  ],
  [[...needed, "--close-timeout", "soon"], /--close-timeout must be a number of seconds/],
  [[...needed, "--runtime-url", "http://localhost/"], /exclude each other/],
  [[...needed, "more.yaml"], /one file of simulations, not also 'more.yaml'/],
  [["show"], /show needs one SESSION/],
  [["status", "job-1"], /'job-1'/],
])("a command line that is wrong says all that is: %j", (args, message) => {
  expect(() => parseCommandLine(args, {})).toThrow(message);
});

test.each([
  [["--gateway-base-url", "localhost:8000"], /--gateway-base-url: .*http\(s\):\/\/host/],
  [["--evaluator-url", "ftp://judge/"], /--evaluator-url: ftp:\/\/judge\/ is no http/],
  [["--db-path", "mysql://u:hidden@db/x"], /--db-path must be sqlite.*'mysql:\/\/u:\*\*\*@db\/x'/],
  [[], /the simulations cannot be read: .*s\.yaml/],
])("so does a run, before it asks the gateway: %j", async (more, message) => {
  const command = parseCommandLine([...needed, ...more], {});
  if (command.kind !== "run") throw new Error("It is a run.");
  const error = await run(command.options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toMatch(message);
});

test("the program says what is wrong on standard error, and exits with 2", async () => {
  const { code, stdout, stderr } = await launch(["run", "--concurrency", "0"]);
  expect(stderr).toMatch(/^launcher: the command line is wrong:\n {2}run needs .*\n {2}/);
  expect(stderr).toContain("--concurrency must be");
  expect(stdout).toBe("");
  expect(code).toBe(2);
});
