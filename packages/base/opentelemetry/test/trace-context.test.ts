import { expect, test } from "vitest";
import { parseTraceparent, sessionPlace, simulationPlace, traceparentOf } from "../src/index.ts";

const trace_id = "0af7651916cd43dd8448eb211c80319c";
const span_id = "b7ad6b7169203331";

test("a traceparent is read, also of a later version", () => {
  expect(parseTraceparent(`00-${trace_id}-${span_id}-00`)).toEqual({ trace_id, span_id });
  expect(parseTraceparent(`01-${trace_id}-${span_id}-01-more`)).toEqual({ trace_id, span_id });
  expect(parseTraceparent(traceparentOf({ trace_id, span_id }))).toEqual({ trace_id, span_id });
});

test.each([
  undefined,
  "",
  `ff-${trace_id}-${span_id}-00`,
  `00-${"0".repeat(32)}-${span_id}-00`,
  `00-${trace_id}-${"0".repeat(16)}-00`,
  `00-${trace_id.toUpperCase()}-${span_id}-00`,
  `00-${trace_id}-${span_id}-0`,
])("%j is not one", (text) => {
  expect(parseTraceparent(text)).toBeNull();
});

test("a session has one place, and another than other sessions", () => {
  const place = sessionPlace("run-1");
  expect(place).toEqual(sessionPlace("run-1"));
  expect(place.trace_id).toMatch(/^[0-9a-f]{32}$/);
  expect(place.span_id).toMatch(/^[0-9a-f]{16}$/);
  expect(sessionPlace("run-2").trace_id).not.toBe(place.trace_id);
});

test("a simulation has a span of its own in its session's trace", () => {
  const simulation = simulationPlace("run-1");
  expect(simulation.trace_id).toBe(sessionPlace("run-1").trace_id);
  expect(simulation.span_id).toMatch(/^[0-9a-f]{16}$/);
  expect(simulation.span_id).not.toBe(sessionPlace("run-1").span_id);
});
