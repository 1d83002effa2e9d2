import { type AgentEvent, readAgentEvents } from "@proj/gateway-protocol/agent-events";
import { plural } from "../text/format.ts";
import { visible } from "../text/visible.ts";

interface AgentEventsProps {
  /** The attempt's, as JSON; null: it has none. */
  readonly result: string | null;
}

/** What an agent told beside its model calls: turns, tools, plans and permissions. */
export function AgentEvents({ result }: AgentEventsProps) {
  const events = readAgentEvents(result);
  if (events.length === 0) return null;
  return (
    <details class="quiet">
      <summary>{plural(events.length, "event")} of the agent</summary>
      <ol>
        {events.map((event, place) => (
          <li key={place}>{visible(`${event.at} ${lineOf(event)}`)}</li>
        ))}
      </ol>
    </details>
  );
}

function lineOf(event: AgentEvent): string {
  switch (event.kind) {
    case "tool_call":
      return `${event.title} (${event.status})`;
    case "permission":
      return `${event.title}: ${event.decision}, by the ${event.by}`;
    case "plan":
      return `plan: ${event.entries.map(({ content }) => content).join("; ")}`;
    case "turn":
      return `turn: ${event.text}`;
  }
}
