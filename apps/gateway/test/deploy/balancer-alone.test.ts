import { readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:http";
import { freePort, listen, startBalancer, waitFor } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { isWithoutHaproxy } from "./balancer.ts";
import { errorOnOwnConnection } from "./own-connection.ts";

/** The part of a gateway that HAProxy sees. */
function startStandIn() {
  const server = createServer((request, response) => {
    if (request.url === "/breaks-off") response.socket?.destroy();
    else response.end('{"status":"ready"}');
  });
  return listen(server);
}

const deadUrl = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;

/** The parts of HAProxy's own errors that callers act on. */
async function errorOf(url: string) {
  const { status, code, headers } = await errorOnOwnConnection(url);
  return {
    ...{
      status,
      code,
      retry: headers["x-should-retry"],
      source: headers["x-gateway-error-source"],
    },
    hasRequestId: /./.test(String(headers["x-request-id"] ?? "")),
  };
}

const unreachable = {
  retry: "true",
  source: "gateway",
  hasRequestId: true,
  code: "gateway_unreachable",
};

describe.skipIf(isWithoutHaproxy)("haproxy.cfg", () => {
  test("HAProxy's own errors have the API's shape and say that a retry is worth it", async () => {
    await using gateway = await startStandIn();
    await using balancer = await startBalancer([gateway.url, await deadUrl()]);
    expect(await errorOf(`${balancer.url}/breaks-off`)).toEqual({ ...unreachable, status: 502 });
    await gateway.close();
    expect(await errorOf(`${balancer.url}/v1/models`)).toEqual({ ...unreachable, status: 503 });
  });

  test("a third gateway takes one server line in each backend, as the file says", async () => {
    await using gateway = await startStandIn();
    const urls = [await deadUrl(), await deadUrl(), gateway.url];
    await using balancer = await startBalancer(urls);
    const isServed = async (): Promise<boolean> =>
      (await fetch(`${balancer.url}/v1/sessions/s`)).status === 200;
    await waitFor(isServed, "HAProxy to find the third gateway");
  });

  test.runIf(process.getuid?.() === 0)("HAProxy drops root's privileges", async () => {
    await using balancer = await startBalancer([await deadUrl(), await deadUrl()]);
    const status = readFileSync(`/proc/${balancer.pid}/status`, "utf8");
    expect(/^Uid:\t0\b/m.test(status)).toBe(false);
    expect(/^Gid:\t0\b/m.test(status)).toBe(false);
    expect(readlinkSync(`/proc/${balancer.pid}/root`)).toBe("/var/lib/haproxy");
  });
});
