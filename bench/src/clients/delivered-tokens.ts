import { sequences } from "@proj/sequences";
import { EnginePrompts, RecordedStep } from "@proj/sequences/recorded";
import { openJobReader } from "@proj/session-store";

/** What a trainer gets of a session. */
export interface DeliveredTokens {
  /** Delivered divided by sampled tokens. */
  readonly fraction: number;
  /** Why sequences began beside the first one of each agent. */
  readonly breaks: readonly string[];
}

/** Reads a session's rows as an export does. */
export async function deliveredOf(db_url: string, session_id: string): Promise<DeliveredTokens> {
  const store = await openJobReader({ storage_type: "sqlite", storage_config: { db_url } });
  try {
    const prompts = new EnginePrompts();
    const { steps: rows } = await store.readSteps({ session_id });
    const steps = rows.flatMap((row) => RecordedStep.allOf(row, prompts));
    const { sequences: found, ledger } = sequences(steps);
    const reasons = found.map(({ split }) => split.reason);
    return {
      fraction: ledger.delivered_fraction,
      breaks: reasons.filter((reason) => reason !== "first" && reason !== "different_agent"),
    };
  } finally {
    await store.close();
  }
}
