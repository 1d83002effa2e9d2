import { expect, test } from "vitest";
import { readLineage } from "../../src/call/agent-lineage.ts";

const nothing = {
  session: null,
  thread: null,
  id: null,
  parent: null,
  kind: null,
  request_kind: null,
};
const turn = (members: object): { "x-codex-turn-metadata": string } => ({
  "x-codex-turn-metadata": JSON.stringify(members),
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ["Claude Code", { "x-claude-code-session-id": "s" }, { session: "s" }],
  [
    "a subagent of Claude Code",
    {
      "x-claude-code-session-id": "s",
      "x-claude-code-agent-id": "a",
      "x-claude-code-parent-agent-id": "p",
    },
    { session: "s", id: "a", parent: "p" },
  ],
  [
    "a parent without an agent",
    { "x-claude-code-session-id": "s", "x-claude-code-parent-agent-id": "p" },
    { session: "s" },
  ],
  [
    "Codex",
    turn({ session_id: "s", thread_id: "t", request_kind: "turn", thread_source: "user" }),
    { session: "s", thread: "t", request_kind: "turn" },
  ],
  [
    "a subagent of Codex",
    turn({
      session_id: "s",
      thread_id: "t",
      parent_thread_id: "p",
      subagent_kind: "review",
      request_kind: "turn",
    }),
    { session: "s", thread: "t", id: "t", parent: "p", kind: "review", request_kind: "turn" },
  ],
  [
    "Codex without metadata",
    { "session-id": "s", "thread-id": "t" },
    { session: "s", thread: "t" },
  ],
  ["opencode", { "x-session-id": "s" }, { session: "s" }],
  [
    "a subagent of opencode",
    { "x-session-id": "s", "x-parent-session-id": "p" },
    { session: "s", id: "s", parent: "p" },
  ],
  [
    "the gateway's own headers, which win",
    { "x-session-id": "s", "x-gateway-agent": "a", "x-gateway-agent-kind": "judge" },
    { session: "s", id: "a", kind: "judge" },
  ],
  ["a value that is too long", { "x-session-id": "s".repeat(300) }, { session: "s".repeat(256) }],
])("%s", (_who, headers, lineage) => {
  expect(readLineage(headers)).toEqual({ ...nothing, ...lineage });
});

test.each<[string, Record<string, string>]>([
  ["no header", { "user-agent": "curl" }],
  ["metadata that is not JSON", { "x-codex-turn-metadata": "{" }],
  ["metadata that is not an object", { "x-codex-turn-metadata": "[1]" }],
  ["ids that are not text", turn({ session_id: 7 })],
  ["empty ids", { "x-session-id": "", "x-gateway-agent": "" }],
])("%s says nothing", (_what, headers) => {
  expect(readLineage(headers)).toBeNull();
});
