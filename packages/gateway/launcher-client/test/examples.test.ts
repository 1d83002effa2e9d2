import { fileURLToPath } from "node:url";
import { startDemoUpstream, startProcess } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "./start-gateway.ts";

test("the quick start runs, and what it asserts holds", async () => {
  await using upstream = await startDemoUpstream();
  const llm_routes = { demo: { base_url: upstream.url } };
  await using gateway = await startGateway({ config: { llm_routes } });
  const script = fileURLToPath(new URL("../examples/quickstart.ts", import.meta.url));
  const env = { GATEWAY_URL: gateway.url, DB_URL: gateway.db_url };
  const program = startProcess(["--conditions=@proj/source", script], { env });
  expect(await program.exit()).toMatchObject({ code: 0 });
  expect(program.stdout).toContain("simulation_finished add-one-to-99");
});
