import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { StoreSchemaError, StoreUnavailableError } from "@proj/database";
import { expect, onTestFinished, test } from "vitest";
import { openJobReader, openJobStore } from "../../../src/open-job-store.ts";
import {
  connectTo,
  newSession,
  openStoreOf,
  soon,
  temporaryFile,
} from "../../temporary-database.ts";
import { openJobsOf, simulations } from "../../temporary-jobs.ts";

const configuration = (file: string, options: { readonly create?: boolean } = {}) => ({
  storage_type: "sqlite" as const,
  storage_config: { db_url: `sqlite://${file}`, ...options },
});

async function openReader(file: string) {
  const reader = await openJobReader(configuration(file));
  onTestFinished(() => reader.close());
  return reader;
}

const digest = (file: string): string =>
  createHash("sha256").update(readFileSync(file)).digest("hex");

test("a reader reads jobs and steps beside a gateway and a launcher", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const jobs = await openJobsOf(file);
  const reader = await openReader(file);
  expect(reader.storage_id).toBe(store.storage_id);
  await jobs.addSimulations("job", simulations(2));
  const { row, session_id } = newSession(store);
  await store.writeSteps([row(1)], soon());
  expect(await reader.readJob("job")).toMatchObject({ simulations: 2, pending: 2 });
  expect(await reader.readJobs()).toHaveLength(1);
  const { environments } = await reader.readEnvironments({ job_id: "job" });
  expect(await reader.readEnvironment(environments[0]?.session_id ?? "")).toEqual(environments[0]);
  expect((await reader.readSteps({ session_id })).steps).toHaveLength(1);
  expect(await reader.hasStep({ session_id, model: "policy", step_id: 1 })).toBe(true);
  expect(await reader.readLargestSuccessStep({ session_id, model: "policy" })).toBe(1);
});

test("a reader changes nothing, and leaves no file behind", async () => {
  const file = await temporaryFile();
  await (await openStoreOf(file)).close();
  const before = [digest(file), readdirSync(dirname(file))];
  const reader = await openJobReader(configuration(file));
  await reader.readJobs();
  await reader.close();
  expect([digest(file), readdirSync(dirname(file))]).toEqual(before);
});

test.each([
  ["reader", openJobReader],
  ["store", openJobStore],
])("without a database, a %s that must not create one creates none", async (_, open) => {
  const file = `${await temporaryFile()}.d/gateway.db`;
  const missing = open(configuration(file, { create: false }));
  await expect(missing).rejects.toThrow(StoreUnavailableError);
  await expect(missing).rejects.toThrow(/There is no database .*gateway\.db/);
  expect(existsSync(dirname(file))).toBe(false);
});

test("a database that is not a gateway's is refused and left unchanged", async () => {
  const file = await temporaryFile();
  connectTo(file).exec("create table other (value)");
  const before = digest(file);
  await expect(openJobReader(configuration(file))).rejects.toThrow(
    /gateway\.db: it is not a gateway's database/,
  );
  expect(digest(file)).toBe(before);

  const newer = await temporaryFile();
  await (await openStoreOf(newer)).close();
  connectTo(newer).exec("update storage_info set schema_version = 1000");
  await expect(openJobReader(configuration(newer))).rejects.toThrow(StoreSchemaError);
});
