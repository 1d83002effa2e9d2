import { expect, test } from "vitest";
import { startGateway } from "./start-gateway.ts";

test("a gateway serves the console with a strict policy", async () => {
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: "http://x/v1" } } });
  const page = await fetch(`${gateway.url}/console`);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(page.headers.get("content-security-policy")).not.toContain("unsafe");
  const html = await page.text();
  const [, script = ""] = /src="([^"]+)"/.exec(html) ?? [];
  const file = await fetch(new URL(script, `${gateway.url}/console`));
  expect(file.headers.get("content-type")).toContain("javascript");
  expect((await file.text()).length).toBeGreaterThan(10_000);
  expect((await fetch(`${gateway.url}/console/other.js`)).status).toBe(404);
});
