import { temporaryPostgres } from "@proj/test-kit/postgres";
import { Client } from "pg";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { keepAsking, startVersionedUpstream, updateWeights } from "./random-pauses.ts";

/** `pnpm --filter @proj/gateway-core test:pauses` makes 10,000. */
const pauses = Number(process.env.PAUSES ?? 150);

test("weights never change during a request, and rows have the right ones, however often a route is drained", {
  timeout: 120_000 + 100 * pauses,
}, async () => {
  const server = await startVersionedUpstream();
  await using upstream = server.upstream;
  await using gateway = await startGateway({ llm_routes: { policy: { base_url: upstream.url } } });
  await gateway.post("/v1/routes/policy/resume", { weight_version: "v0" });
  const stop = keepAsking([gateway], 6);
  let caught = 0;
  for (let at = 0; at < pauses; at += 1) caught += await updateWeights(gateway, server);
  await stop();
  expect(caught).toBe(0);
  const rows = Array.from({ length: 6 }, (_, caller) => gateway.steps(`caller-${caller}`)).flat();
  expect(rows.length).toBeGreaterThan(pauses / 4);
  if (pauses >= 1_000) console.info(`${pauses} pauses, ${rows.length} requests, ${caught} caught`);
  for (const { messages, meta } of rows) {
    const [{ content }] = JSON.parse(messages ?? "[]");
    expect(server.served.get(content)?.versions).toEqual([meta.weight_version]);
  }
});

test("two gateways on one database obey: drain waits for the other's requests in flight", async () => {
  const server = await startVersionedUpstream();
  await using upstream = server.upstream;
  await using database = await temporaryPostgres();
  const config = {
    llm_routes: { policy: { base_url: upstream.url } },
    storage_type: "cloud",
    storage_config: { db_url: database.url },
  };
  await using first = await startGateway(config);
  await using second = await startGateway(config);
  await first.post("/v1/routes/policy/pause", { mode: "drain" });
  await first.post("/v1/routes/policy/resume", { weight_version: "v0" });
  const stop = keepAsking([second, first], 4);
  let caught = 0;
  for (let at = 0; at < 8; at += 1) {
    caught += await updateWeights(at % 2 === 0 ? first : second, server);
  }
  await stop();
  expect(caught).toBe(0);
  const reader = new Client({ connectionString: database.url });
  await reader.connect();
  const { rows } = await reader.query<{ messages: string; meta_json: string }>(
    "select messages, meta_json from session_steps",
  );
  await reader.end();
  expect(rows.length).toBeGreaterThan(8);
  for (const { messages, meta_json } of rows) {
    const [{ content }] = JSON.parse(messages);
    const { weight_version } = JSON.parse(meta_json);
    expect(server.served.get(content)?.versions).toEqual([weight_version]);
  }
});
