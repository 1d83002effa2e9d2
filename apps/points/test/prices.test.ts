import { createServer } from "node:http";
import { createPointsClient } from "@proj/points-client";
import { listen, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { runHere, startProgram, workplace } from "./program.ts";

const settings = (base_url: string) => `price_interval_s: 1
price_sources:
  - { kind: hermes, base_url: "${base_url}/down", api_key: "\${PYTH_KEY}", tokens: { SOL: ab } }
  - { kind: jupiter, base_url: "${base_url}", api_key: "\${JUPITER_KEY}", tokens: { SOL: mint } }`;
const env = { PYTH_KEY: "hidden-1", JUPITER_KEY: "hidden-2" };

test("prices are fetched with the settings' keys, and what goes wrong is said once", async () => {
  let asked = 0;
  let isPriced = true;
  const server = createServer((request, response) => {
    const isJupiter = request.headers["x-api-key"] === env.JUPITER_KEY;
    if (isJupiter) asked += 1;
    const prices = isPriced ? { mint: { usdPrice: 152.5 } } : {};
    response.writeHead(isJupiter ? 200 : 503, { "content-type": "application/json" });
    response.end(JSON.stringify(prices));
  });
  const { url, close } = await listen(server);
  try {
    await using place = await workplace(settings(url));
    await using program = startProgram(["serve", "-c", place.config], env);
    const line = await program.line(/^serving main at /);
    const baseUrl = /http:\S+/.exec(line)?.[0] ?? "";
    using client = createPointsClient({ baseUrl, network: "main" });
    await waitFor(async () => "SOL" in (await client.prices()).data, "a price");
    expect((await client.prices()).data).toEqual({ SOL: { price: 152.5 } });
    await waitFor(() => asked > 1, "another round");
    isPriced = false;
    await waitFor(() => program.stderr.includes("No usable price of SOL."), "the warning");
    isPriced = true;
    await waitFor(() => program.stderr.includes("Every token has a price again."), "the news");
    const metrics = await (await fetch(new URL("/metrics", baseUrl))).text();
    expect(metrics).toMatch(/^points_prices_total\{source="jupiter",outcome="stored"\} [1-9]/m);
    program.kill("SIGTERM");
    expect((await program.exit()).code).toBe(0);
    // Each price that arrives is news of the source, and Hermes never has one.
    expect(program.stderr.match(/Prices from hermes failed: .*503/g)).toHaveLength(1);
    expect(program.output).not.toContain("hidden");
  } finally {
    await close();
  }
});

test("check prints what would run, without the keys of the sources", async () => {
  const url = "https://user:hidden-3@prices.example";
  await using place = await workplace(
    `ingest_secret: whsec_aGlkZGVu\n${settings(url).replaceAll(/\$\{\w+\}/g, "hidden-4")}`,
  );
  const { code, stdout, stderr } = await runHere("check", "-c", place.config);
  expect(code).toBe(0);
  expect(stdout).toContain("kind: jupiter");
  expect(stdout).toContain('api_key: "***"');
  expect(stdout + stderr).not.toMatch(/hidden|aGlkZGVu/);
});
