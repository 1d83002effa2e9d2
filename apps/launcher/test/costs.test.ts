import { startDemoUpstream } from "@proj/test-kit";
import { startOtlpReceiver } from "@proj/test-kit/otlp";
import { expect, test } from "vitest";
import { metaOf, sessionsOf, stepsOf } from "./agents/recorded-steps.ts";
import { launch, startGateway } from "./launcher.ts";

interface Costing {
  readonly cost_nano_usd: number;
}

const sumOf = (costs: readonly unknown[]): number =>
  costs.reduce<number>((sum, cost) => sum + Number(cost), 0);

test("every command, answer and span tells a cost that the rows add up to", async () => {
  await using receiver = await startOtlpReceiver();
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    opentelemetry: { enabled: true, endpoint: receiver.url },
    llm_routes: {
      demo: { base_url: upstream.url, prices: [{ input: 2.000_001, output: 10.000_003 }] },
    },
  });
  const simulations = [
    { simulation_id: "long", env_params: { steps: 3 } },
    { simulation_id: "twice", env_params: { fail: 1 } },
  ];
  await gateway.write("s.yaml", JSON.stringify(simulations));
  const { db_url, folder: cwd } = gateway;
  const options = ["--job-id", "j", "--max-attempts", "2", "--otlp-endpoint", receiver.url];
  expect(await launch(gateway.run("s.yaml", ...options), { cwd })).toMatchObject({ code: 0 });

  const sessions = new Map<string, readonly number[]>();
  for (const session_id of await sessionsOf(gateway, "j")) {
    const steps = await stepsOf(gateway, session_id);
    sessions.set(
      session_id,
      steps.map((step) => Number(metaOf(step).cost_nano_usd)),
    );
  }
  const rows = [...sessions.values()].flat();
  expect(rows).toHaveLength(5);
  for (const cost of rows) expect(cost).toBeGreaterThan(0);
  const cost_nano_usd = sumOf(rows);

  const ofSessions = new Map(
    [...sessions].map(([session_id, costs]) => [session_id, sumOf(costs)] as const),
  );
  const costsOf = (found: readonly (Costing & { readonly session_id: string })[]) =>
    new Map(found.map((each) => [each.session_id, each.cost_nano_usd]));
  const answer = async (path: string) => Object(await (await fetch(gateway.url + path)).json());
  const { attempts } = await answer("/v1/jobs/j/usage");
  expect(costsOf(attempts)).toEqual(ofSessions);
  // The console's list.
  const listed = await answer("/v1/sessions?stored=true&job_id=j");
  expect(costsOf(listed.sessions)).toEqual(ofSessions);

  const ask = (...args: string[]) => launch([...args, "--db-path", db_url]);
  const { usage } = JSON.parse((await ask("status", "--job-id", "j", "--json")).stdout);
  expect(usage).toMatchObject({ calls: 5, cost_nano_usd });
  expect(usage.simulations).toMatchObject([
    { simulation_id: "long", attempts: 1, calls: 3 },
    { simulation_id: "twice", attempts: 2, calls: 2 },
  ]);
  expect(sumOf(usage.simulations.map((each: Costing) => each.cost_nano_usd))).toBe(cost_nano_usd);
  const { stdout: told } = await ask("status", "--job-id", "j");
  expect(told).toMatch(/^ {2}\d+ tokens in, \d+ out, \$0\.\d+$/m);

  const exported = (await ask("export", "--job-id", "j")).stdout.trimEnd().split("\n");
  // Failed attempts are not exported, but they have cost something.
  const finished = exported.map((line): Costing => JSON.parse(line));
  const [failed] = [...sessions.values()].filter((costs) => costs.length === 1);
  expect(finished).toHaveLength(4);
  expect(sumOf([...finished.map((each) => each.cost_nano_usd), failed?.[0]])).toBe(cost_nano_usd);
  const [shown = ""] = sessions.keys();
  expect((await ask("show", shown)).stdout).toMatch(/^step 1 {2}demo {2}.* {2}\$0\.\d+ {2}/m);

  const spans = await receiver.received(5, /^chat /);
  expect(sumOf(spans.map(({ attributes }) => attributes["gateway.cost_nano_usd"]))).toBe(
    cost_nano_usd,
  );
  const attempted = await receiver.received(3, /^simulation$/);
  expect(sumOf(attempted.map(({ attributes }) => attributes["simulation.cost_nano_usd"]))).toBe(
    cost_nano_usd,
  );
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  const [, dollars] = /^gateway_cost_usd_total\{model="demo"\} (\S+)$/m.exec(metrics) ?? [];
  expect(Number(dollars) * 1e9).toBeCloseTo(cost_nano_usd, 0);
});
