import { plural } from "../text/format.ts";
import { visible } from "../text/visible.ts";

interface AgentEventsProps {
  /** The attempt's, as JSON; null: it has none. */
  readonly result: string | null;
}

/** What an agent told beside its model calls: turns, tools, plans and permissions. */
export function AgentEvents({ result }: AgentEventsProps) {
  const events = eventsOf(result);
  if (events.length === 0) return null;
  return (
    <details class="quiet">
      <summary>{plural(events.length, "event")} of the agent</summary>
      <ol>
        {events.map((event) => (
          <li>
            {String(event.at)} {visible(lineOf(event))}
          </li>
        ))}
      </ol>
    </details>
  );
}

type Told = Readonly<Record<string, unknown>>;

/** Agents of other kinds may write anything here. */
function eventsOf(result: string | null): readonly Told[] {
  const { metrics }: Told = Object(JSON.parse(result ?? "{}"));
  const { events }: Told = Object(metrics);
  return Array.isArray(events) ? events.map(Object).filter((event) => "kind" in event) : [];
}

function lineOf({ kind, title, text, status, decision, by, entries }: Told): string {
  switch (kind) {
    case "tool_call":
      return `${title} (${status})`;
    case "permission":
      return `${title}: ${decision}, by the ${by}`;
    case "plan":
      return `plan: ${Array.isArray(entries) ? entries.map((entry) => Object(entry).content).join("; ") : ""}`;
    default:
      return `${kind}: ${text ?? ""}`;
  }
}
