import { startOtlpReceiver } from "@proj/test-kit/otlp";
import { expect, test, vi } from "vitest";
import { launch, startGateway } from "./launcher.ts";

// Runs several programs one after the other, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const caller = { trace_id: "c".repeat(32), span_id: "d".repeat(16) };

test("--otlp-endpoint: simulations are traced, link to their caller, and no agent gets the receiver's key", async () => {
  await using receiver = await startOtlpReceiver();
  await using gateway = await startGateway();
  await gateway.write("s.yaml", "- { simulation_id: a, repeat: 2 }");
  const env = {
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20receivers-key",
    TRACEPARENT: `00-${caller.trace_id}-${caller.span_id}-01`,
  };
  const evaluator = `case "$(env)" in *receivers-key*) echo 0;; *$TRACEPARENT*) echo 1;; esac`;
  const args = gateway.run("s.yaml", "--otlp-endpoint", receiver.url, "--job-id", "j");
  const run = await launch([...args, "--evaluator-command", evaluator], {
    cwd: gateway.folder,
    env,
  });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(run.stdout).toContain("mean reward 1\n");
  expect(run.stdout).not.toMatch(/spans|traces/);
  expect(receiver.requests[0]).toMatchObject({ authorization: "Bearer receivers-key" });
  const found = receiver.spans.filter(({ name }) => name === "simulation");
  expect(found).toHaveLength(2);
  for (const simulation of found)
    expect(simulation).toMatchObject({ parent_id: null, links: [caller.span_id] });

  const again = await launch(
    ["evaluate", "--job-id", "j", "--llm-model", "demo", "--db-path", gateway.db_url].concat([
      ...["--evaluator-command", "echo 0.5", "--otlp-endpoint", receiver.url],
    ]),
    { cwd: gateway.folder, env },
  );
  expect(again).toMatchObject({ code: 0, stderr: "" });
  const scores = receiver.spans.flatMap(
    ({ attributes }) => attributes["gen_ai.evaluation.score.value"] ?? [],
  );
  expect(scores).toEqual([1, 1, 0.5, 0.5]);
});

test("a receiver that is away changes no job, and lost spans are reported", async () => {
  const gone = await startOtlpReceiver();
  await gone[Symbol.asyncDispose]();
  await using gateway = await startGateway();
  await gateway.write("s.yaml", "- { simulation_id: a }");
  const { code, stdout } = await launch(gateway.run("s.yaml", "--otlp-endpoint", gone.url), {
    cwd: gateway.folder,
  });
  expect(code).toBe(0);
  // The simulation, its run, its evaluation and its reward.
  expect(stdout).toContain("spans were lost: 4 (shutdown)");
});

test("an invalid endpoint is refused before anything runs", async () => {
  await using gateway = await startGateway();
  await gateway.write("s.yaml", "- {}");
  const { code, stderr } = await launch(
    gateway.run("s.yaml", "--otlp-endpoint", "localhost:4318"),
    {
      cwd: gateway.folder,
    },
  );
  expect(code).toBe(2);
  expect(stderr).toContain("--otlp-endpoint: not an http or https URL");
});
