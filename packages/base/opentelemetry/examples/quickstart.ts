import assert from "node:assert/strict";
import { sessionPlace } from "@proj/opentelemetry";
import { openTracer } from "@proj/opentelemetry/tracer";

const tracer = openTracer({
  endpoint: "http://127.0.0.1:4318",
  headers: {},
  service_name: "example",
  queue_max_spans: 1_000,
  onFailing: (error) => console.error(`spans are kept: ${error.message}`),
  onRecovered: () => console.error("spans are sent again"),
});
const span = tracer.begin({
  name: "look around",
  // Into the trace in which the gateway has the session's calls.
  parent: sessionPlace("run-1"),
  started_at: Date.now(),
});
assert.match(span.traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
span.end({ attributes: { found: 3 }, error: null, ended_at: Date.now() });
await tracer.close();
