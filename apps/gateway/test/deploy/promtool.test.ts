import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, isLeftOut, startDemoUpstream, temporaryFolder, waitFor } from "@proj/test-kit";
import { startOtlpReceiver } from "@proj/test-kit/otlp";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { postChat, type ServedGateway, serveGateway } from "../served-gateway.ts";

const folder = fileURLToPath(new URL("../../../../deploy/observability/", import.meta.url));
const hasPrometheus = ["promtool", "prometheus"].every(
  (program) => spawnSync(program, ["--version"]).status === 0,
);
const isSkipped = isLeftOut("promtool", hasPrometheus, "Debian: apt-get install prometheus");

function promtool(args: readonly string[], input = "", cwd = folder): string {
  const { status, stdout, stderr } = spawnSync("promtool", args, { cwd, input, encoding: "utf8" });
  return `${status}\n${stdout}${stderr}`;
}

/** All queries of a dashboard, with its variables filled in. */
function queriesOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "expr" && typeof member === "string"
      ? [member.replaceAll("$__rate_interval", "5m").replaceAll("$model", "policy")]
      : queriesOf(member),
  );
}

interface Site extends AsyncDisposable {
  readonly gateway: ServedGateway;
  readonly folder: string;
  readonly receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
}

/** A gateway with tracing that has answered a request. */
async function startSite(): Promise<Site> {
  const receiver = await startOtlpReceiver();
  const upstream = await startDemoUpstream();
  const place = await temporaryFolder();
  const traces = `opentelemetry: { enabled: true, endpoint: "${receiver.url}" }`;
  const gateway = await serveGateway(place.path, upstream.url, traces);
  await (await postChat(gateway.url, "s")).text();
  return {
    ...{ gateway, receiver, folder: place.path },
    async [Symbol.asyncDispose]() {
      await gateway.program[Symbol.asyncDispose]();
      await upstream.close();
      await place.remove();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(isSkipped)("promtool", () => {
  test("the alerts are valid, and fire when they should and not before", () => {
    expect(promtool(["check", "rules", "alerts.yaml"])).toMatch(
      /^0\n[\s\S]*SUCCESS: 8 rules found/,
    );
    expect(promtool(["test", "rules", "alerts.test.yaml"])).toMatch(/^0\n[\s\S]*SUCCESS/);
  });

  test("every query of the dashboard is valid", async () => {
    await using place = await temporaryFolder();
    const dashboard: unknown = JSON.parse(
      await readFile(join(folder, "grafana-dashboard.json"), "utf8"),
    );
    const queries = queriesOf(dashboard);
    expect(queries.length).toBeGreaterThan(15);
    const rules = queries.map((expr, index) => ({ record: `panel:query${index}`, expr }));
    await writeFile(join(place.path, "panels.yaml"), stringify({ groups: [{ name: "g", rules }] }));
    const checked = promtool(["check", "rules", "panels.yaml"], "", place.path);
    expect(checked).toMatch(new RegExp(`^0\n[\\s\\S]*SUCCESS: ${queries.length} rules found`));
  });

  test("the metrics of a gateway pass its linter", async () => {
    await using site = await startSite();
    const text = await (await fetch(`${site.gateway.url}/metrics`)).text();
    expect(text).toContain("gen_ai_client_operation_duration_seconds_count");
    expect(promtool(["check", "metrics"], text)).toBe("0\n");
  });
});

describe.skipIf(isSkipped)("a Prometheus that scrapes a gateway", () => {
  test("accepts OpenMetrics, loads the alerts, and finds a call's trace by its exemplar", async () => {
    await using site = await startSite();
    await using prometheus = await startPrometheus(site.folder, new URL(site.gateway.url).host);
    const ask = async (path: string) => {
      const response = await fetch(`${prometheus.url}/api/v1/${path}`).catch(() => null);
      return response?.ok === true ? ((await response.json()) as { data: unknown }).data : null;
    };
    const find = (query: string) => ask(`query?query=${encodeURIComponent(query)}`);
    await waitFor(
      async () => JSON.stringify(await find('up{job="gateway"} == 1')).includes('"1"'),
      "a scrape of the gateway",
    );
    const count = 'gen_ai_client_operation_duration_seconds_count{gen_ai_operation_name="chat"}';
    expect(await find(count)).toMatchObject({ result: [{ value: [expect.anything(), "1"] }] });
    const { groups } = Object(await ask("rules"));
    expect(groups[0].rules).toHaveLength(8);
    const scrape = Object(await ask("targets")).activeTargets[0];
    expect(scrape).toMatchObject({ health: "up", lastError: "" });

    const now = Date.now() / 1_000;
    const times = `start=${now - 600}&end=${now + 600}`;
    const query = "gen_ai_client_operation_duration_seconds_bucket";
    const found = await ask(`query_exemplars?query=${query}&${times}`);
    const [step] = await site.receiver.received(1, /^chat /);
    const { trace_id, span_id } = step ?? {};
    expect(found).toMatchObject([{ exemplars: [{ labels: { trace_id, span_id } }] }]);
  });
});

interface Prometheus extends AsyncDisposable {
  readonly url: string;
}

async function startPrometheus(place: string, gateway: string): Promise<Prometheus> {
  const port = await freePort();
  const data = join(place, "prometheus");
  await mkdir(data);
  const config = {
    global: { scrape_interval: "1s" },
    rule_files: [join(folder, "alerts.yaml")],
    scrape_configs: [{ job_name: "gateway", static_configs: [{ targets: [gateway] }] }],
  };
  await writeFile(join(data, "prometheus.yml"), stringify(config));
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(data, "prometheus.yml")}`,
      `--storage.tsdb.path=${data}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--enable-feature=exemplar-storage",
    ],
    { stdio: "ignore" },
  );
  const exit = once(child, "exit");
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exit;
    },
  };
}
