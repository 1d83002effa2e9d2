import { type RowTexts, WholeRows } from "@proj/model-apis";
import { type Ledger, type Sequence, sequences } from "@proj/sequences";
import { EnginePrompts, RecordedStep, type StoredCall } from "@proj/sequences/recorded";
import { type Source, sessionPath } from "../data/source.ts";
import { type Asked, useViewAnswer } from "../data/use-answer.ts";

export interface SessionTokens {
  readonly sequences: readonly Sequence[];
  readonly ledger: Ledger;
  /** Only the first steps were read. */
  readonly isCut: boolean;
  /** Steps that the model was shown more of than any row has. */
  readonly partial_steps: number;
}

/** Histories are whole here, and a longer session would fill the browser's memory. */
const maxSteps = 500;
const maxCharacters = 200_000_000;

interface StepPage {
  readonly steps: readonly (StoredCall & RowTexts)[];
  /** Missing in a file that holds no tokens. */
  readonly next_after?: number | null;
}

/** Which of a session's tokens can be trained on. */
export const useTokens = (session_id: string): Asked<SessionTokens> =>
  useViewAnswer(`tokens ${session_id}`, (source, signal) => readTokens(source, session_id, signal));

async function readTokens(
  source: Source,
  session_id: string,
  signal: AbortSignal,
): Promise<SessionTokens> {
  const path = sessionPath(await source.sessionsPath(), session_id);
  const steps: RecordedStep[] = [];
  const prompts = new EnginePrompts();
  const rows = new WholeRows();
  const read = new Map<string, RowTexts>();
  let characters = 0;
  let after: number | null = 0;
  while (after !== null && steps.length < maxSteps && characters < maxCharacters) {
    const page: StepPage = await source.ask<StepPage>(`${path}/steps?after=${after}`, signal);
    for (const row of page.steps) {
      characters += (row.messages?.length ?? 0) + (row.response?.length ?? 0);
      read.set(row.request_id, row);
      // Calls beside the steps, such as embeddings, sample no tokens.
      if (row.step_id < 0) continue;
      const { request, messages, isPartial } = await rows.of(
        row,
        async (id) => read.get(id) ?? null,
      );
      const whole: StoredCall = { ...row, request, messages };
      steps.push(
        ...RecordedStep.allOf(isPartial ? { ...whole, history: "partial" } : whole, prompts),
      );
    }
    // A page that does not lead on is the last one, whatever it says.
    const next = page.next_after ?? null;
    after = next !== null && next > after ? next : null;
  }
  const partial_steps = steps.filter((step) => step.has_partial_history).length;
  return { ...sequences(steps), isCut: after !== null, partial_steps };
}
