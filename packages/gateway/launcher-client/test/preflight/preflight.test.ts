import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type JobStore, openJobStore, StoreUnavailableError } from "@proj/session-store";
import { type TemporaryFolder, temporaryFolder } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createGatewayClient } from "../../src/gateway/gateway-client.ts";
import { type PreflightOptions, preflight } from "../../src/preflight/preflight.ts";
import { PreflightError, type StartupError } from "../../src/preflight/startup-error.ts";
import { closedPort } from "../odd-server.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";

const base_url = "http://127.0.0.1:9/v1";
let gateway: TestGateway;
let store: JobStore;
let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
  const llm_routes = { "policy-large": { base_url }, judge: { base_url } };
  gateway = await startGateway({ config: { llm_routes } });
  const { db_url } = gateway;
  store = await openJobStore({ storage_type: "sqlite", storage_config: { db_url } });
});
afterAll(async () => {
  await store.close();
  await gateway.close();
  await folder.remove();
});

/** The right settings for a launcher, with some changes. */
function settings(changes: Partial<PreflightOptions> & { url?: string } = {}): PreflightOptions {
  const { url = gateway.url, ...options } = changes;
  return {
    gateway: createGatewayClient({ baseUrl: url }),
    storage_type: "sqlite",
    db_url: gateway.db_url,
    readStorageId: async () => store.storage_id,
    llm_model: "judge",
    readyTimeoutMs: 1_500,
    ...options,
  };
}

async function failures(options: PreflightOptions): Promise<readonly StartupError[]> {
  const error: unknown = await preflight(options).then(
    () => expect.fail("the checks passed"),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(PreflightError);
  return error instanceof PreflightError ? error.errors : [];
}

/** The only error, as `code: message`. */
async function failure(options: PreflightOptions): Promise<string> {
  const errors = await failures(options);
  expect(errors).toHaveLength(1);
  return errors.map(({ code, message }) => `${code}: ${message}`).join();
}

async function configFile(text: string): Promise<string> {
  const path = join(folder.path, "gateway.yaml");
  await writeFile(path, text);
  return path;
}

test("with the right settings it returns the gateway's readiness and models", async () => {
  const path = await configFile(
    `llm_routes:\n  judge:\n    base_url: \${A_VARIABLE_OF_THE_GATEWAY}\n`,
  );
  const report = await preflight(settings({ serviceGatewayConfig: path }));
  expect(report.models).toEqual(["policy-large", "judge"]);
  expect(report.readiness).toMatchObject({ status: "ready", storage_id: store.storage_id });
});

test("nothing listens: gateway is not reachable", async () => {
  const url = await closedPort();
  expect(await failure(settings({ url }))).toBe(
    `gateway_unreachable: gateway is not reachable: GET ${url}/readyz cannot connect (ECONNREFUSED). Start the gateway, or correct host and port of --gateway-base-url.`,
  );
});

test("other --db-path: both values are named, and a wrong path creates no database", async () => {
  const readStorageId = vi.fn(async () => store.storage_id);
  const db_url = "sqlite://other.db";
  expect(await failure(settings({ db_url, readStorageId }))).toBe(
    `storage_mismatch: gateway SQLite DB does not match launcher --db-path: the gateway has storage_config.db_url "${gateway.db_url}", the launcher --db-path "${db_url}". Give both the same value.`,
  );
  expect(readStorageId).not.toHaveBeenCalled();
});

test("one name and two files: their ids are named", async () => {
  const text = await failure(settings({ readStorageId: async () => "another-id" }));
  expect(text).toContain(
    `gateway SQLite DB does not match launcher --db-path: both are "${gateway.db_url}", but they are two files: the gateway's storage_id is ${store.storage_id}, the launcher's another-id`,
  );
});

test("another storage type", async () => {
  const db_url = "postgres://launcher:hunter2@db/rollouts";
  const text = await failure(settings({ storage_type: "cloud", db_url }));
  expect(text).toMatch(/^storage_mismatch: gateway storage does not match launcher --db-path: /);
  expect(text).toContain('the launcher cloud ("postgres://launcher:***@db/rollouts")');
});

test("a storage that the launcher cannot open", async () => {
  const readStorageId = async (): Promise<string> => {
    throw new StoreUnavailableError("the file is locked");
  };
  expect(await failure(settings({ readStorageId }))).toBe(
    `storage_unavailable: launcher --db-path "${gateway.db_url}" cannot be used: the file is locked`,
  );
});

test("a model that is not a route of the gateway: the routes and the closest name are listed", async () => {
  expect(await failure(settings({ llm_model: "policy-lage" }))).toBe(
    'model_not_configured: gateway model route(s) are not configured: --llm-model "policy-lage" is not a key of llm_routes in the gateway (GET /v1/models). Did you mean "policy-large"? The routes are: "policy-large", "judge".',
  );
});

test("a model that is not a route of the file that SERVICE_GATEWAY_CONFIG names", async () => {
  const path = await configFile(`llm_routes:\n  other:\n    base_url: ${base_url}\n`);
  expect(await failure(settings({ serviceGatewayConfig: path }))).toBe(
    `model_not_configured: gateway model route(s) are not configured: --llm-model "judge" is not a key of llm_routes in ${path} (SERVICE_GATEWAY_CONFIG). The routes are: "other".`,
  );
});

test("a file that cannot be read", async () => {
  const path = join(folder.path, "missing.yaml");
  expect(await failure(settings({ serviceGatewayConfig: path }))).toBe(
    `gateway_config_unreadable: gateway configuration file named by SERVICE_GATEWAY_CONFIG cannot be used: ${path}: 1 error\n  there is no such file`,
  );
});

test("a key that is missing or wrong", async () => {
  await using locked = await startGateway({ config: { auth: { api_keys: ["the-right-key"] } } });
  const { db_url } = locked;
  for (const apiKey of [null, "wrong-key"]) {
    const client = createGatewayClient({ baseUrl: locked.url, apiKey });
    const readStorageId = async () => (await client.readiness()).storage_id ?? "";
    const text = await failure(settings({ gateway: client, db_url, readStorageId }));
    expect(text).toMatch(/^invalid_api_key: gateway API key is missing or wrong: /);
    expect(text).toContain("--gateway-api-key or GATEWAY_API_KEY");
    expect(text).not.toContain("wrong-key");
  }
});

test("everything that is wrong is reported at once", async () => {
  const path = await configFile(`llm_routes:\n  other:\n    base_url: ${base_url}\n`);
  const wrong = { llm_model: "a", serviceGatewayConfig: path };
  const there = await failures(settings({ ...wrong, db_url: "sqlite://other.db" }));
  expect(there.map(({ code }) => code)).toEqual([
    "model_not_configured",
    "storage_mismatch",
    "model_not_configured",
  ]);
  const away = await failures(settings({ ...wrong, url: await closedPort() }));
  expect(away.map(({ code }) => code)).toEqual(["model_not_configured", "gateway_unreachable"]);
  expect(new PreflightError(away).message).toBe(away.map(({ message }) => message).join("\n"));
});
