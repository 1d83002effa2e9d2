import { Operations } from "@proj/points-server";
import { group } from "@proj/resource-router";
import { openApiDocument } from "@proj/resource-router/openapi";
import { OpenApiCheck } from "@proj/test-kit/openapi";
import { expect, test } from "vitest";
import { ingestResource } from "../../src/http/ingest-resource.ts";
import { pointsResources } from "../../src/http/points-resources.ts";
import { priceResource } from "../../src/http/price-resource.ts";
import { now, secret, serveStore, signed, swap } from "./served-store.ts";

const file = new URL("../../openapi.yaml", import.meta.url);
const open = () =>
  serveStore(
    [
      swap("a", 2),
      { id: "d", type: "domain", time: now - 60, address: "a", domain: "a.example" },
      { id: "p", type: "price", time: now - 60, token: "X", price: "150", priceDecimals: 2 },
    ],
    {
      ingest_secret: secret,
      operations: (store) => new Operations({ store, log: () => {} }),
      program: { seasons: [{ name: "one", startTimestamp: String(now - 9_000) }] },
    },
  );

test("every documented path answers as openapi.yaml says", async () => {
  const api = await OpenApiCheck.read(file);
  await using served = await open();
  for (const operation of api.operations.filter((each) => each.startsWith("GET "))) {
    const path = operation
      .slice(4)
      .replace("{network}", "main")
      .replace("{address}", "a")
      .replace("{domain}", "a.example")
      .replace("{name}", "indexer");
    const headers = path.startsWith("/ingest") ? signed("").headers : {};
    const answer = await served.ask(path, { headers });
    expect([path, answer.status]).toEqual([
      path,
      // There is no snapshot schedule here, so readiness may be 503.
      path === "/readyz" ? answer.status : 200,
    ]);
    await api.check(operation, answer);
  }
  const body = JSON.stringify([swap("b", 3)]);
  const stored = await served.ask("/ingest", signed(body));
  expect(stored.status).toBe(200);
  await api.check("POST /ingest", stored);
  const ranking = "GET /api/{network}/total/{address}";
  await api.check(ranking, await served.ask("/api/main/total/null?size=x"));
  await api.check(ranking, await served.ask("/api/other/total/null"));
  expect(api.unasked).toEqual([]);
});

test("every served path is in openapi.yaml", async () => {
  const api = await OpenApiCheck.read(file);
  await using served = await open();
  const { store } = served;
  const resources = [
    group("api", pointsResources(store, 0)),
    priceResource(store, 0),
    ingestResource(store, secret),
  ];
  const { paths } = openApiDocument(resources, { title: "", version: "" });
  const form = (path: string) => path.replace("/main/", "/{}/").replaceAll(/\{\w*\}/g, "{}");
  const documented = new Set(Object.keys(api.document.paths).map(form));
  expect(Object.keys(paths).filter((path) => !documented.has(form(path)))).toEqual([]);
});
