import { readFile } from "node:fs/promises";
import { startDemoUpstream, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { serveGateway } from "../served-gateway.ts";

const folder = new URL("../../../../deploy/observability/", import.meta.url);

/** Every text in a member of that name, at any depth. */
function textsBelow(value: unknown, name: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === name && typeof member === "string" ? [member] : textsBelow(member, name),
  );
}

const metricsIn = (queries: readonly string[]): string[] =>
  [...new Set(queries.flatMap((query) => query.match(/\bgateway_[a-z_]+/g) ?? []))].sort();

test("the dashboard and the alerts query only metrics that the gateway has", async () => {
  await using upstream = await startDemoUpstream();
  await using place = await temporaryFolder();
  const traces = 'opentelemetry: { enabled: true, endpoint: "http://127.0.0.1:9" }';
  const { program, url } = await serveGateway(place.path, upstream.url, traces);
  await using _gateway = program;
  const text = await (await fetch(`${url}/metrics`)).text();
  const served = new Set<string>();
  for (const [, name = "", kind] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const ends = kind === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    for (const end of ends) served.add(name + end);
  }
  const dashboard: unknown = JSON.parse(
    await readFile(new URL("grafana-dashboard.json", folder), "utf8"),
  );
  const alerts: unknown = parse(await readFile(new URL("alerts.yaml", folder), "utf8"));
  const panels = [...textsBelow(dashboard, "expr"), ...textsBelow(dashboard, "query")];
  const rules = textsBelow(alerts, "expr");
  expect(panels.length).toBeGreaterThan(20);
  expect(rules.length).toBe(textsBelow(alerts, "alert").length);
  for (const queries of [panels, rules])
    expect(metricsIn(queries).filter((name) => !served.has(name))).toEqual([]);
});
