import { chatCompletion, startFaultyUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { chatPath, chatRequest } from "../telemetry/bound-calls.ts";
import { openMetrics, scrape } from "./open-metrics.ts";
import { parsePrometheusText, sampleValue } from "./prometheus-text.ts";

const routes = (url: string) => ({ policy: { base_url: url } });

test("the metrics show the size of the WAL, its checkpoints and the free space", async () => {
  await using upstream = await startFaultyUpstream((_request, reply) => {
    void reply.json(chatCompletion());
  });
  await using gateway = await startGateway({ llm_routes: routes(upstream.url) });
  expect((await gateway.post(chatPath("s"), chatRequest())).status).toBe(200);
  const value = async (name: string): Promise<number> => {
    const body = await (await fetch(`${gateway.url}/metrics`)).text();
    return sampleValue(parsePrometheusText(body), name) ?? Number.NaN;
  };
  expect(await value("gateway_storage_wal_bytes")).toBeGreaterThan(0);
  expect(await value("gateway_storage_free_bytes")).toBeGreaterThan(0);
  // The writer checkpoints once it has been idle.
  await expect.poll(() => value("gateway_storage_checkpoints_total")).toBeGreaterThan(0);
  expect(await value("gateway_storage_checkpoint_seconds_total")).toBeGreaterThan(0);
});

test("storage that is not a file has no such metrics", async () => {
  const families = await scrape(openMetrics());
  expect([...families.keys()].filter((name) => name.startsWith("gateway_storage"))).toEqual([]);
});

test.each([
  [
    Number.MAX_SAFE_INTEGER,
    [{ code: "low_disk_space", message: expect.stringMatching(/^\d+ bytes are free/) }],
  ],
  [0, undefined],
])("with min_free_bytes %d readyz is 200 and warns of %j", async (min_free_bytes, warnings) => {
  await using gateway = await startGateway({
    llm_routes: routes("http://127.0.0.1:9/v1"),
    storage_config: { min_free_bytes },
  });
  const answer = await fetch(`${gateway.url}/readyz`);
  expect(answer.status).toBe(200);
  const body = (await answer.json()) as Record<string, unknown>;
  expect(body.status).toBe("ready");
  expect(body.warnings).toEqual(warnings);
});
