import { createServer } from "node:http";
import { freePort, listen, rawRequest, waitFor, within } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { isWithoutEnvoy, startOwnEnvoy } from "./envoy.ts";
import { errorOnOwnConnection } from "./own-connection.ts";
import { askAll, ids, startStandIn } from "./stand-in.ts";

const deadUrl = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;

describe.skipIf(isWithoutEnvoy)("envoy.yaml", () => {
  test("a gateway that fails Envoy's first check has its sessions once Envoy is ready for tests", async () => {
    let checks = 0;
    const server = createServer((request, response) => {
      if (request.url === "/readyz") response.statusCode = ++checks === 1 ? 503 : 200;
      response.end("first");
    });
    await using first = await listen(server);
    await using second = await startStandIn("second");
    await using balancer = await startOwnEnvoy([first.url, second.url]);
    expect((await askAll(balancer.url)).join()).toContain("first");
  });

  test("one gateway not ready: its sessions go to the other; all not ready: each keeps its own", async () => {
    await using first = await startStandIn("first");
    await using second = await startStandIn("second");
    await using balancer = await startOwnEnvoy([first.url, second.url]);
    const ready = await askAll(balancer.url);
    expect(ready).toEqual(ids.map((id) => expect.stringMatching(`^200 (first|second) ${id}$`)));
    expect(new Set(ready.map((answer) => answer.split(" ")[1]))).toEqual(
      new Set(["first", "second"]),
    );
    expect(await askAll(balancer.url, encodeURIComponent)).toEqual(ready);
    const until = (answers: readonly string[], what: string) =>
      waitFor(async () => `${await askAll(balancer.url)}` === `${answers}`, what);

    first.isReady = false;
    const ofSecond = ids.map((id) => `200 second ${id}`);
    await until(ofSecond, "the other to have all sessions");
    second.isReady = false;
    const refused = ready.map((answer) => answer.replace("200", "503"));
    await until(refused, "each session to be its own gateway's");
    first.isReady = true;
    second.isReady = true;
    await until(ready, "both to be back");
  });

  test("if a gateway refuses the connection, the other is tried at once", async () => {
    // Not over an open connection, which would break off with the gateway.
    await using first = await startStandIn("first", false);
    await using second = await startStandIn("second");
    await using balancer = await startOwnEnvoy([first.url, second.url]);
    expect((await askAll(balancer.url)).join()).toContain("first");
    await first.close();
    // Envoy's checks have not noticed yet.
    expect(await askAll(balancer.url)).toEqual(ids.map((id) => `200 second ${id}`));
  });

  test("Envoy's own errors have the API's shape, and a gateway's pass unchanged", async () => {
    await using gateway = await startStandIn("first");
    await using balancer = await startOwnEnvoy([gateway.url, await deadUrl()]);
    const errorOf = async (path: string) => {
      const { status, code, headers } = await errorOnOwnConnection(balancer.url + path);
      return {
        ...{ status, code, type: headers["content-type"], retry: headers["x-should-retry"] },
        source: headers["x-gateway-error-source"],
        hasRequestId: /^req_./.test(String(headers["x-request-id"])),
      };
    };
    const unreachable = {
      ...{ status: 503, code: "gateway_unreachable", type: "application/json", retry: "true" },
      ...{ source: "gateway", hasRequestId: true },
    };
    expect(await errorOf("/breaks-off")).toEqual(unreachable);
    gateway.isReady = false;
    const own = await fetch(`${balancer.url}/v1/models`);
    expect([own.status, await own.text()]).toEqual([503, "first "]);
    await gateway.close();
    expect(await errorOf("/v1/models")).toEqual(unreachable);

    await using caller = await rawRequest(
      Number(new URL(balancer.url).port),
      "GET nothing\r\n\r\n",
    );
    const answer = (await caller.readUntilClosed()).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"invalid_request"');
    expect(answer).toMatch(/\r\nx-should-retry: false\r\n/);
  });

  test("Envoy adds nothing that the gateway would forward to the model", async () => {
    await using gateway = await startStandIn("first");
    await using balancer = await startOwnEnvoy([gateway.url, await deadUrl()]);
    const headers = { "x-request-id": "of the caller" };
    await fetch(`${balancer.url}/v1/sessions/a%3Ab/models`, { headers });
    expect(gateway.latest).toMatchObject({ ...headers, "x-session-id": "a:b" });
    expect(Object.keys(gateway.latest).filter((name) => name.includes("envoy"))).toEqual([]);
    await fetch(`${balancer.url}/v1/models`);
    expect(gateway.latest).not.toHaveProperty("x-request-id");
    expect(gateway.latest).not.toHaveProperty("x-session-id");
  });

  test("a stream is passed on as it arrives, and a caller that leaves ends its request", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/readyz") response.end();
      else response.write("data: 1\n\n");
    });
    await using gateway = await listen(server);
    await using balancer = await startOwnEnvoy([gateway.url, await deadUrl()]);
    const leaving = new AbortController();
    const ended = new Promise<void>((resolve) => {
      server.on("request", ({ url }, response) => {
        if (url === "/stream") response.once("close", resolve);
      });
    });
    const answer = await fetch(`${balancer.url}/stream`, { signal: leaving.signal });
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? "").toString()).toBe("data: 1\n\n");
    leaving.abort();
    await within(ended, "the end of the gateway's request");
  });
});
