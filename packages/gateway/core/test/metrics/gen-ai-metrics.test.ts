import { noTokens } from "@proj/model-apis";
import { startDemoUpstream, startFaultyUpstream } from "@proj/test-kit";
import { startOtlpReceiver } from "@proj/test-kit/otlp";
import { expect, test } from "vitest";
import type { GenAiCall } from "../../src/metrics/gen-ai-metrics.ts";
import { scrapeFormat } from "../../src/metrics/scrape-format.ts";
import { sessionClient } from "../session/session-client.ts";
import { startGateway } from "../start-gateway.ts";
import { openMetrics, scrape } from "./open-metrics.ts";
import { parsePrometheusText, sampleValue } from "./prometheus-text.ts";

const call: GenAiCall = {
  endpoint: "chat_completions",
  request_model: "tiny",
  replica: "https://api.openai.com/v1",
  error: null,
  duration_ms: 1_500,
  first_chunk_ms: null,
  tokens: { ...noTokens, prompt_tokens: 10, completion_tokens: 3 },
  span: null,
};
const labels = {
  gen_ai_operation_name: "chat",
  gen_ai_provider_name: "openai",
  gen_ai_request_model: "tiny",
};

test("calls are counted under the names and labels of the conventions, once for each set of labels", async () => {
  const metrics = openMetrics();
  metrics.genAi(call);
  // Another API and another replica, with the same labels.
  metrics.genAi({ ...call, endpoint: "responses", replica: "https://eu.api.openai.com/v1" });
  metrics.genAi({ ...call, endpoint: "messages", replica: "http://10.0.0.1/v1" });
  metrics.genAi({ ...call, error: "timeout", tokens: noTokens });
  metrics.genAi({ ...call, endpoint: "embeddings", first_chunk_ms: 40 });
  const families = await scrape(metrics);
  const value = (name: string, more: Record<string, string> = {}) =>
    sampleValue(families, `gen_ai_client_${name}`, { ...labels, ...more });
  const anthropic = { gen_ai_provider_name: "anthropic" };
  const embeddings = { gen_ai_operation_name: "embeddings" };
  const unknown = { gen_ai_token_modality: "unknown" };
  expect([
    value("operation_duration_seconds_count"),
    value("operation_duration_seconds_sum"),
    value("operation_duration_seconds_count", { error_type: "timeout" }),
    value("operation_duration_seconds_count", anthropic),
    value("operation_time_to_first_chunk_seconds_count"),
    value("operation_time_to_first_chunk_seconds_sum", embeddings),
    value("token_usage_sum", { gen_ai_token_type: "input" }),
    value("token_usage_bucket", { gen_ai_token_type: "output", le: "4" }),
    value("inference_usage_input_tokens_total", unknown),
    value("inference_usage_output_tokens_total", unknown),
    value("inference_usage_reasoning_output_tokens_total", unknown),
    value("inference_usage_input_tokens_total", { ...embeddings, ...unknown }),
  ]).toEqual([2, 3, 1, 1, undefined, 0.04, 20, 2, 20, 6, 0, undefined]);
});

test.each([
  [undefined, "prometheus"],
  ["*/*", "prometheus"],
  ["text/plain", "prometheus"],
  ["application/openmetrics-text", "openmetrics"],
  // Prometheus 2.42, and 3.
  [
    "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
    "openmetrics",
  ],
  [
    "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.4,*/*;q=0.3",
    "openmetrics",
  ],
  ["application/openmetrics-text;q=0.3, text/plain;q=0.4", "prometheus"],
  ["application/openmetrics-text;q=0", "prometheus"],
  ["application/openmetrics-text;q=x", "prometheus"],
])("a scraper that accepts %s gets %s", (accept, format) => {
  expect(scrapeFormat(accept)).toBe(format);
});

test("OpenMetrics has the same series as Prometheus's text, by its own rules", async () => {
  const metrics = openMetrics({}, ['a "quoted"\nback\\slash']);
  metrics.genAi(call);
  metrics.refused("model_not_found");
  const { contentType, body } = await metrics.render("openmetrics");
  expect(contentType).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  expect(body.endsWith("\n# EOF\n")).toBe(true);
  expect(body).toContain("# TYPE gateway_requests_refused counter\n");
  expect(body).toContain('gateway_requests_refused_total{reason="model_not_found"} 1\n');
  expect(body).toContain('{model="a \\"quoted\\"\\nback\\\\slash"}');
  expect(body).toContain('gen_ai_client_token_usage_bucket{le="4.0",');
  expect(body).not.toContain(" # {");
  // No series has another name there.
  const families = await scrape(metrics);
  const reason = { reason: "model_not_found" };
  expect(sampleValue(families, "gateway_requests_refused_total", reason)).toBe(1);
  const lines = (text: string): number =>
    text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length;
  expect(lines(body)).toBe(lines((await metrics.render()).body));
});

test("each bucket's exemplar is its latest call, with the ids of that call's span", async () => {
  await using receiver = await startOtlpReceiver();
  await using upstream = await startDemoUpstream();
  const gateway = await startGateway({
    opentelemetry: { enabled: true, endpoint: receiver.url },
    llm_routes: { demo: { base_url: upstream.url, upstream_model: "tiny" } },
  });
  await (await sessionClient(gateway, "secret-session").chat({ stream: true })).text();
  const accept = "application/openmetrics-text";
  const response = await fetch(`${gateway.url}/metrics`, { headers: { accept } });
  expect(response.headers.get("content-type")).toMatch(/^application\/openmetrics-text; version=1/);
  const text = await response.text();
  const plain = await (await fetch(`${gateway.url}/metrics`)).text();
  await gateway.close();
  const [step] = await receiver.received(1, /^chat tiny$/);
  const { trace_id = "", span_id = "" } = step ?? {};
  for (const name of [
    "gateway_request_duration_seconds",
    "gen_ai_client_operation_duration_seconds",
    "gen_ai_client_operation_time_to_first_chunk_seconds",
  ])
    expect(text).toMatch(
      new RegExp(
        `^${name}_bucket\\{[^}]*\\} [1-9]\\d* # \\{trace_id="${trace_id}",span_id="${span_id}"\\} [\\d.e-]+ \\d+\\.?\\d*$`,
        "m",
      ),
    );
  expect(text).not.toContain("secret-session");
  expect(plain).not.toContain(trace_id);
  parsePrometheusText(plain);
});

test("what an upstream or a caller says is never a label", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const sent = sessionClient(gateway, "s").chat({ model: "demo" });
  const usage = { prompt_tokens: 3, completion_tokens: 2 };
  await (await upstream.nextRequest()).reply.json({
    model: "said-by-upstream",
    usage,
    choices: [],
  });
  await (await sent).text();
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  expect(text).not.toContain("said-by-upstream");
  const families = parsePrometheusText(text);
  const usageOf = { ...labels, gen_ai_request_model: "demo", gen_ai_token_type: "input" };
  expect(sampleValue(families, "gen_ai_client_token_usage_sum", usageOf)).toBe(3);
});
