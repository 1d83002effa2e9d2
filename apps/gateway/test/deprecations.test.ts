import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGatewayProcess } from "./gateway-process.ts";

const item = (model_id: string, shutdown_date: string) => ({
  id: model_id,
  url: "https://maker.example/models",
  content_text: "-",
  _deprecation: { provider: "Maker", model_id, shutdown_date, replacement_models: ["new-2"] },
});
const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const feed = {
  version: "https://jsonfeed.org/version/1.1",
  title: "Ends",
  items: [item("old-1", "2024-01-31"), item("late-1", inDays(90)), item("soon-1", inDays(5))],
};
const config = (feedName: string): string => `
listen_port: 0
storage_config: { db_url: sqlite://rows.db }
request_log: { enabled: false }
deprecations: { feed: ${feedName}, warn_days: 10 }
llm_routes:
  policy: { base_url: "http://127.0.0.1:9/v1", upstream_model: old-1 }
  late-1: { base_url: "http://127.0.0.1:9/v1" }
  soon-1: { base_url: "http://127.0.0.1:9/v1" }
  own: { base_url: "http://127.0.0.1:9/v1" }
`;

async function folderWithFeed() {
  const folder = await temporaryFolder();
  await writeFile(join(folder.path, "feed.json"), JSON.stringify(feed));
  await writeFile(join(folder.path, "gateway.yaml"), config("feed.json"));
  await writeFile(join(folder.path, "no-feed.yaml"), config("absent.json"));
  return folder;
}

test("check --deprecations says what is known about every model, and fails if one ends", async () => {
  await using folder = await folderWithFeed();
  const args = ["check", "--config", "gateway.yaml", "--deprecations", "feed.json"];
  await using program = startGatewayProcess(args, { cwd: folder.path });
  expect((await program.exit()).code).toBe(1);
  expect(program.stderr).toContain("old-1 was shut down on 2024-01-31");
  expect(program.stderr).toContain("replaced by new-2");
  expect(program.stderr).toContain(`late-1 shuts down on ${inDays(90)}`);
  expect(program.stderr).toContain("own is unknown");
  expect(program.stderr).not.toContain("policy is unknown");
});

test("a feed that cannot be read has another exit code than a model that ends", async () => {
  await using folder = await folderWithFeed();
  const args = ["check", "--config", "gateway.yaml", "--deprecations", "absent.json"];
  await using program = startGatewayProcess(args, { cwd: folder.path });
  expect((await program.exit()).code).toBe(3);
  expect(program.stderr).toContain("absent.json cannot be read");
});

test("serving warns about models that end within warn_days", async () => {
  await using folder = await folderWithFeed();
  await using program = startGatewayProcess(["--config", "gateway.yaml"], { cwd: folder.path });
  expect(await program.line(/^warning.*old-1/)).toContain("was shut down on 2024-01-31");
  await program.line(/^warning.*soon-1/);
  expect(program.output).not.toContain("late-1 shuts down");
});

test("serving continues if the feed cannot be read, and says so", async () => {
  await using folder = await folderWithFeed();
  await using program = startGatewayProcess(["--config", "no-feed.yaml"], { cwd: folder.path });
  await program.line(/^warning.*deprecations\.feed cannot be read/);
  const url = (await program.line(/^gateway +http/)).replace(/^gateway +/, "");
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
