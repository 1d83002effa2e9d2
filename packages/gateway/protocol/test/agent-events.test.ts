import { expect, test } from "vitest";
import { readAgentEvents } from "../src/index.ts";

const at = "2026-01-01T00:00:00.000Z";
const events = [
  { kind: "turn", at, text: "Go." },
  { kind: "plan", at, entries: [{ content: "first", status: "pending" }] },
  { kind: "permission", at, id: "1", title: "write", decision: "allow", by: "policy" },
  {
    ...{ kind: "tool_call", at, ended_at: null, id: "1", title: "write", tool: null },
    ...{ status: "pending", input: null, output: "done", paths: ["/a"] },
  },
];

test("an agent's events are read from the result of its attempt", () => {
  expect(readAgentEvents(JSON.stringify({ metrics: { events } }))).toEqual(events);
  expect(readAgentEvents(null)).toEqual([]);
});

test.for([
  "no JSON",
  "[]",
  '{"metrics":null}',
  '{"metrics":{"events":{}}}',
  ...[
    ...[null, 1, {}, { kind: "turn", at }, { kind: "turn", at: {}, text: "Go." }],
    ...[
      { kind: "other", at, text: "Go." },
      { kind: "plan", at, entries: [{ content: 1 }] },
    ],
    { kind: "turn", at, text: { toString: 1 } },
    { ...events[2], decision: { toString: 1 } },
    { ...events[3], title: null },
    { ...events[3], paths: [1] },
  ].map((event) => JSON.stringify({ metrics: { events: [event] } })),
])("what another program has under that name is left out: %s", (result) => {
  expect(readAgentEvents(result)).toEqual([]);
});
