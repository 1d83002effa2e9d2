import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway, createServiceLog } from "@proj/gateway-core";
import { parseConfig } from "@proj/gateway-protocol";

const folder = await mkdtemp(join(tmpdir(), "quickstart-"));
const config = parseConfig(
  `
listen_port: 0 # any free one
storage_config:
  db_url: sqlite://${join(folder, "gateway.db")}
request_log:
  path: ${join(folder, "gateway_requests.jsonl")}
llm_routes:
  small:
    base_url: http://127.0.0.1:9000/v1
`,
  "gateway.yaml",
);
const log = createServiceLog({ path: join(folder, "gateway.log") });
const gateway = await createGateway(config, { log });
const { url } = await gateway.listen();

const models = await fetch(`${url}/v1/models`);
assert.match(await models.text(), /"id":"small"/);

// Resolves once requests in flight have ended and every row is stored.
const { lost_rows } = await gateway.close();
assert.equal(lost_rows, 0);
await log.close();
await rm(folder, { recursive: true });
