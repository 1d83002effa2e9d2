import { startDemoUpstream, waitFor } from "@proj/test-kit";
import { startPostgresServer } from "@proj/test-kit/postgres";
import { expect, test } from "vitest";
import { model, post, Site } from "./site.ts";

const body = { model, messages: [{ role: "user", content: "Hi" }] };
const config = "telemetry: { write_timeout_s: 1 }";
const statusOf = async (url: string): Promise<number> => (await fetch(`${url}/readyz`)).status;

test("a session closed while the database is down is closed at every gateway once it is back", async () => {
  await using upstream = await startDemoUpstream();
  await using server = await startPostgresServer();
  const parts = { upstreamUrl: upstream.url, db_url: server.url, hasBalancer: false };
  await using site = await Site.start({ ...parts, config });
  const chat = "/v1/sessions/s/chat/completions";
  expect((await post(site.first.url, chat, body)).status).toBe(200);
  await server.stop();
  const closing = await post(site.first.url, "/v1/sessions/s/close?wait=10");
  expect(await closing.json()).toMatchObject({ status: "closed" });
  await server.start();
  const isReady = async (): Promise<boolean> => (await statusOf(site.second.url)) === 200;
  await waitFor(isReady, "the second gateway to be ready");
  const isClosed = async (): Promise<boolean> => {
    const [owner] = await site.query<{ closed_at: string | null }>(
      "select closed_at from session_owners",
    );
    return owner?.closed_at !== null;
  };
  await waitFor(isClosed, "the close to be known to all");
  expect((await post(site.second.url, chat, body)).status).toBe(400);
});

test("readiness is withdrawn before a row fails: by a new session, and by a probe alone", async () => {
  await using upstream = await startDemoUpstream();
  await using server = await startPostgresServer();
  const parts = { upstreamUrl: upstream.url, db_url: server.url, hasBalancer: false };
  await using site = await Site.start({ ...parts, config });
  await server.stop();
  const refused = await post(site.first.url, "/v1/sessions/new/chat/completions", body);
  expect([refused.status, Object(await refused.json()).error.code]).toEqual([
    503,
    "telemetry_unavailable",
  ]);
  expect(await statusOf(site.first.url)).toBe(503);
  const isNotReady = async (): Promise<boolean> => (await statusOf(site.second.url)) === 503;
  await waitFor(isNotReady, "the idle gateway to notice");
  await server.start();
  for (const { url } of [site.first, site.second])
    await waitFor(async () => (await statusOf(url)) === 200, "readiness to come back");
});
