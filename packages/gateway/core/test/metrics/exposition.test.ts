import { noTokens } from "@proj/model-apis";
import { describe, expect, test } from "vitest";
import { openMetrics, scrape } from "./open-metrics.ts";
import { sampleValue } from "./prometheus-text.ts";

/** Metrics in which everything countable has been counted. */
function busyMetrics() {
  const metrics = openMetrics();
  for (const model of ["small", "large"]) {
    const route = metrics.route(model);
    for (const endpoint of ["chat_completions", "responses"] as const) {
      route.admitted(endpoint);
      route.refused(endpoint, "route_saturated");
      route.stopped(endpoint);
      route.used({ ...noTokens, prompt_tokens: 10, completion_tokens: 20 }, null);
      route.finished(endpoint, {
        status_code: 200,
        outcome: "completed",
        duration_ms: 1_500,
        queue_ms: 3,
        ttft_ms: 40,
      });
    }
  }
  metrics.refused("model_not_found");
  metrics.telemetry.committed(3, 2.5);
  metrics.telemetry.retried();
  metrics.telemetry.lost(2, "queue_full");
  return metrics;
}

describe("the text of the metrics", () => {
  test("can be read by a Prometheus scraper", async () => {
    const metrics = busyMetrics();
    const { contentType, body } = await metrics.render();
    expect(contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(body).toContain("# TYPE gateway_requests_admitted_total counter\n");
    const families = await scrape(metrics);
    expect(families.size).toBeGreaterThan(25);
    for (const [name, { type, samples }] of families) {
      expect(["counter", "gauge", "histogram"], name).toContain(type);
      expect(name.endsWith("_total"), name).toBe(type === "counter");
      expect(name).toMatch(/^(gateway|gen_ai|process|nodejs)_[a-z0-9_]+$/);
      expect(name).not.toMatch(/_(ms|milliseconds|kb|mb)(_|$)/);
      for (const sample of samples) expect(sample.value, name).toBeGreaterThanOrEqual(0);
    }
  });

  test("has only the promised labels", async () => {
    const allowed = new Set(["model", "endpoint", "status_code", "outcome", "reason"]);
    for (const { type, samples } of (await scrape(busyMetrics())).values())
      for (const { labels } of samples)
        for (const name of Object.keys(labels))
          expect(allowed.has(name) || (type === "histogram" && name === "le"), name).toBe(true);
  });

  test("has histograms whose buckets grow up to their counts", async () => {
    const families = await scrape(busyMetrics());
    const histograms = [...families].filter(([, { type }]) => type === "histogram");
    expect(histograms.length).toBeGreaterThanOrEqual(5);
    for (const [name, { samples }] of histograms) {
      const series = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) =>
        JSON.stringify(labels),
      );
      for (const group of series.values()) {
        const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
        const counts = buckets.map((bucket) => bucket.value);
        expect(counts).toEqual(counts.toSorted((one, other) => one - other));
        expect(buckets.at(-1)?.labels.le).toBe("+Inf");
        expect(buckets.at(-1)?.value).toBe(
          group.find(({ name }) => name.endsWith("_count"))?.value,
        );
      }
    }
  });

  test("keeps a route key with any character in it", async () => {
    const model = 'a "quoted" back\\slash\nand {braces}, too';
    const metrics = openMetrics({}, [model]);
    metrics.route(model).admitted("responses");
    const labels = { model, endpoint: "responses" };
    expect(sampleValue(await scrape(metrics), "gateway_requests_admitted_total", labels)).toBe(1);
  });

  test("is each gateway's own", async () => {
    const [one, other] = [openMetrics(), openMetrics()];
    one.refused("not_found");
    const name = "gateway_requests_refused_total";
    expect(sampleValue(await scrape(one), name, { reason: "not_found" })).toBe(1);
    expect(sampleValue(await scrape(other), name, { reason: "not_found" })).toBeUndefined();
  });
});
