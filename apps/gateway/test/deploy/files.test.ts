import { readFileSync } from "node:fs";
import { parseConfig } from "@proj/gateway-protocol";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

const read = (path: string): string =>
  readFileSync(new URL(`../../../../deploy/${path}`, import.meta.url), "utf8");

const config = parseConfig(read("gateway.yaml"), "gateway.yaml", {
  ...{
    DATABASE_URL: "postgres://localhost/gateway",
    GATEWAY_API_KEY: "key",
    GATEWAY_SESSION_SECRET: "a secret of this site only",
  },
  POLICY_URL: "http://127.0.0.1:9000/v1",
});

/** The first group of a pattern, as a number. */
const seconds = (path: string, pattern: RegExp): number => Number(pattern.exec(read(path))?.[1]);

test("every supervisor waits until a gateway has drained and written its rows", () => {
  const { shutdown_delay_s, drain_timeout_s, telemetry } = config;
  const longest = shutdown_delay_s + drain_timeout_s + 2 * telemetry.write_timeout_s;
  for (const grace of [
    seconds("kubernetes/gateway.yaml", /terminationGracePeriodSeconds: (\d+)/),
    seconds("compose.yaml", /stop_grace_period: (\d+)s/),
    seconds("one-machine/gateway@.service", /^TimeoutStopSec=(\d+)/m),
  ])
    expect(grace).toBeGreaterThan(longest);
});

test("the gateways have a session secret, so that agents get keys to their own sessions", () => {
  expect(config.auth.session_secret).toBeTruthy();
  expect(read("compose.yaml")).toContain("GATEWAY_SESSION_SECRET");
  expect(read("kustomization.yaml")).toContain("GATEWAY_SESSION_SECRET");
});

test("balancers wait longer for an answer than the gateways do", () => {
  for (const wait of [
    seconds("haproxy/haproxy.cfg", /timeout server (\d+)s/),
    seconds("nginx/nginx.conf", /location \/ \{[^}]*proxy_read_timeout (\d+)s/),
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

test("each gateway that Kubernetes starts has an address at the balancer", () => {
  const [, gateways] = parseAllDocuments(read("kubernetes/gateway.yaml")).map((it) => it.toJS());
  const addresses = read("kubernetes/balancer.yaml").match(/gateway-\d+\.gateway\./g);
  expect(addresses).toEqual(
    Array.from({ length: gateways.spec.replicas }, (_, index) => `gateway-${index}.gateway.`),
  );
});

test("balancers list the same gateways as ready and as alive", () => {
  const sections = read("haproxy/haproxy.cfg")
    .split(/^backend /m)
    .slice(1);
  const [ready, alive] = sections.map((section) => section.match(/^ +server .*$/gm));
  expect(ready).toHaveLength(2);
  expect(alive).toEqual(ready);
  const upstreams = read("nginx/nginx.conf")
    .split(/^ +upstream /m)
    .slice(1);
  const [first, second] = upstreams.map((upstream) => upstream.match(/^ +server [\d.]+:\d+ .*$/gm));
  expect(first).toHaveLength(2);
  expect(second).toEqual(first);
});

test("Envoy tries another gateway if one refuses the connection, and admits as many requests as the gateways do", () => {
  const [{ clusters, listeners }] = parseAllDocuments(read("envoy/envoy.yaml")).map(
    (it) => it.toJS().static_resources,
  );
  const [{ filters }] = listeners[0].filter_chains;
  const [{ routes }] = filters[0].typed_config.route_config.virtual_hosts;
  expect(routes[0].route.retry_policy).toMatchObject({
    retry_on: "connect-failure",
    retry_host_predicate: [{ name: "envoy.retry_host_predicates.previous_hosts" }],
  });
  expect(clusters[0].common_lb_config.healthy_panic_threshold.value).toBeLessThan(10);
  const { max_concurrency = 0, max_queue = 0 } = config.llm_routes.policy ?? {};
  const [thresholds] = clusters[0].circuit_breakers.thresholds;
  for (const limit of ["max_connections", "max_pending_requests", "max_requests"])
    expect(thresholds[limit]).toBeGreaterThan(10 * (max_concurrency + max_queue));
});

test("systemd never gives up on a gateway", () => {
  const unit = read("one-machine/gateway@.service");
  expect(unit).toMatch(/^\[Unit\][^[]*^StartLimitIntervalSec=0$/m);
  expect(unit).toMatch(/^\[Service\][^[]*^RestartSec=2$/m);
});
