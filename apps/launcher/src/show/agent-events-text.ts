import type { AgentEvent } from "@proj/gateway-protocol";
import { duration } from "@proj/launcher-client/sheets";
import { printable } from "../text/printable.ts";

const maxText = 120;

/** What an agent told beside its model calls, a line each. */
export const agentEventsText = (events: readonly AgentEvent[]): string =>
  events.length === 0
    ? ""
    : printable(`events\n${events.map((event) => `  ${event.at}  ${lineOf(event)}\n`).join("")}`);

function lineOf(event: AgentEvent): string {
  switch (event.kind) {
    case "turn":
      return `asked: ${short(event.text)}`;
    case "plan":
      return `plan: ${short(event.entries.map(({ content, status }) => `${content} (${status})`).join("; "))}`;
    case "permission":
      return `${event.decision === "allow" ? "allowed" : "denied"} by the ${event.by}: ${short(event.title)}`;
    case "tool_call": {
      const { tool, title, status, at, ended_at } = event;
      const took = ended_at === null ? "" : `, ${duration(Date.parse(ended_at) - Date.parse(at))}`;
      return `${tool ?? "tool"}: ${short(title)} (${status}${took})`;
    }
  }
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= maxText ? line : `${line.slice(0, maxText)} …`;
}
