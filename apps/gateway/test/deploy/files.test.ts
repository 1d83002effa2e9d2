import { readFileSync } from "node:fs";
import { parseConfig } from "@proj/gateway-protocol";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

const read = (path: string): string =>
  readFileSync(new URL(`../../../../deploy/${path}`, import.meta.url), "utf8");

const config = parseConfig(read("gateway.yaml"), "gateway.yaml", {
  ...{ DATABASE_URL: "postgres://localhost/gateway", GATEWAY_API_KEY: "key" },
  POLICY_URL: "http://127.0.0.1:9000/v1",
});

/** The first group of a pattern, as a number. */
const seconds = (path: string, pattern: RegExp): number => Number(pattern.exec(read(path))?.[1]);

test("whoever ends a gateway waits until it has drained and written its rows", () => {
  const { shutdown_delay_s, drain_timeout_s, telemetry } = config;
  const longest = shutdown_delay_s + drain_timeout_s + 2 * telemetry.write_timeout_s;
  for (const grace of [
    seconds("kubernetes/gateway.yaml", /terminationGracePeriodSeconds: (\d+)/),
    seconds("compose.yaml", /stop_grace_period: (\d+)s/),
    seconds("one-machine/gateway@.service", /^TimeoutStopSec=(\d+)/m),
  ])
    expect(grace).toBeGreaterThan(longest);
});

test("balancers wait longer for an answer than the gateways do", () => {
  for (const wait of [
    seconds("haproxy/haproxy.cfg", /timeout server (\d+)s/),
    seconds("nginx/nginx.conf", /proxy_read_timeout (\d+)s/),
    seconds("envoy/envoy.yaml", /stream_idle_timeout: (\d+)s/),
  ])
    expect(wait).toBeGreaterThan(config.timeouts.total_s);
});

test("balancers find the session id behind the gateways' base_session_path", () => {
  const path = config.base_session_path;
  expect(read("haproxy/haproxy.cfg")).toContain(`presetenv BASE_SESSION_PATH ${path}\n`);
  expect(read("nginx/nginx.conf")).toContain(`~^${path}/(?<session_id>[^/]+)`);
  expect(read("envoy/envoy.yaml")).toContain(`local base = "${path}/"`);
});

test("there is an address for each gateway that Kubernetes starts", () => {
  const [, gateways] = parseAllDocuments(read("kubernetes/gateway.yaml")).map((it) => it.toJS());
  const addresses = read("kubernetes/balancer.yaml").match(/gateway-\d+\.gateway\./g);
  expect(addresses).toEqual(
    Array.from({ length: gateways.spec.replicas }, (_, index) => `gateway-${index}.gateway.`),
  );
});
