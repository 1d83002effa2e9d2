import type { StoredRow } from "@proj/session-store";
import { bytes } from "../text/format.ts";
import { type Added, historyBytes } from "./added.ts";
import { type Continued, factsOf } from "./step-facts.ts";
import { nameOf } from "./step-name.ts";

interface BeginningProps {
  readonly row: StoredRow;
  /** The row that it continues; null: there is none, or it is not known. */
  readonly base: StoredRow | null;
  /** The row before it. */
  readonly previous: StoredRow | null;
  readonly kind: Added["kind"];
}

/** One line for everything that the model was shown and that the request repeats or names. */
export function Beginning({ row, base, previous, kind }: BeginningProps) {
  const { continues, history } = factsOf(row);
  const from = base === null ? "an earlier step" : nameOf(base).toLowerCase();
  return (
    <>
      {history === "partial" && (
        <p class="prefix changed">Earlier messages are in no row of this session</p>
      )}
      {continues !== null && base !== null && (
        <p class="prefix">
          {namings[continues.by]} {from}
          {history === "served" && ": the gateway sent the whole history"}
        </p>
      )}
      {kind === "continues" && (
        <p class="prefix">
          {bytes(row.messages_shared ?? 0)} unchanged since {from}
        </p>
      )}
      {previous !== null && isCompacted(row, previous) ? (
        <p class="prefix changed">
          History compacted by {nameOf(previous).toLowerCase()}: {bytes(historyBytes(row))} instead
          of {bytes(historyBytes(previous))}
        </p>
      ) : (
        kind === "changed" && (
          <p class="prefix changed">
            History rewritten: the first {bytes(row.messages_shared ?? 0)} of{" "}
            {bytes(base === null ? 0 : historyBytes(base))} match {from}
          </p>
        )
      )}
    </>
  );
}

const namings: Readonly<Record<Continued["by"], string>> = {
  previous_response_id: "Continues the response of",
  conversation: "Continues its conversation after",
  thread: "Continues the message thread of",
};

/** Whether the call before, of the same agent, made a summary that takes the place of the conversation. */
function isCompacted(row: StoredRow, previous: StoredRow): boolean {
  const [now, before] = [factsOf(row), factsOf(previous)];
  return (
    before.is_compaction &&
    !now.is_compaction &&
    now.agent_id === before.agent_id &&
    historyBytes(row) < historyBytes(previous)
  );
}
