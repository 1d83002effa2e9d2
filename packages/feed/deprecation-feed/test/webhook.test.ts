import { createServer, type IncomingHttpHeaders } from "node:http";
import { collect, notifyOfChanges } from "@proj/deprecation-feed";
import { listen } from "@proj/test-kit";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { emptyState } from "../src/collection/feed-state.ts";
import { deprecationPage, startPageSite, testProvider } from "./page-site.ts";

const secret = `whsec_${Buffer.from("a secret of twenty-four bytes").toString("base64")}`;

/** A receiver whose first requests fail. */
async function startReceiver(failures: number) {
  const calls: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join("");
    calls.push({ headers: request.headers, body });
    response.writeHead(calls.length <= failures ? 503 : 204).end();
  });
  return { ...(await listen(server)), calls };
}

test("the news of a run is sent once, signed, and again with the same id if the delivery failed", async () => {
  await using receiver = await startReceiver(1);
  await using site = await startPageSite({ "/acme": deprecationPage({ model_id: "m-1" }) });
  const first = await collect([testProvider(site)], emptyState);
  await notifyOfChanges(first, { url: receiver.url, secret });
  expect(receiver.calls).toHaveLength(2);
  expect(new Set(receiver.calls.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  const { body = "", headers = {} } = receiver.calls[1] ?? {};
  const signed = {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"]),
  };
  expect(new Webhook(secret).verify(body, signed)).toMatchObject({
    type: "deprecations.changed",
    data: { items: [{ title: "Acme: m-1" }] },
  });
  const second = await collect([testProvider(site)], first);
  await notifyOfChanges(second, { url: receiver.url, secret });
  expect(receiver.calls).toHaveLength(2);
});

test("an abort ends the retries", async () => {
  await using receiver = await startReceiver(9);
  await using site = await startPageSite({ "/acme": deprecationPage({ model_id: "m-1" }) });
  const state = await collect([testProvider(site)], emptyState);
  const stop = new AbortController();
  const telling = notifyOfChanges(state, { url: receiver.url, secret }, stop.signal);
  stop.abort(new Error("enough"));
  await expect(telling).rejects.toThrow();
});
