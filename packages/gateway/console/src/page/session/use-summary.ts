import {
  fromUncalled,
  type StoredSessionsBody,
  type SummaryBody,
} from "@proj/session-store/answers";
import { sessionPath } from "../data/source.ts";
import { type Asked, useAnswer } from "../data/use-answer.ts";

const refreshMs = 10_000;

interface SummarisedSession {
  readonly session_id: string;
  /** Path of the list of sessions; null: not known yet. */
  readonly base: string | null;
  /** Null: its rows are not read yet. */
  readonly hasRows: boolean | null;
  /** Changes when it was acted on. */
  readonly done: number;
}

/** Null: not read yet, or it has neither rows nor an attempt. Only a session that has either is asked for. */
export function useSummary({
  session_id,
  base,
  hasRows,
  done,
}: SummarisedSession): SummaryBody | null {
  const isUnknown = base !== null && hasRows === false;
  const { body: isAttempt } = useAnswer(
    `attempt ${session_id} ${isUnknown}`,
    async (source, signal) => {
      if (!isUnknown) return false;
      const before = fromUncalled(session_id);
      const query = new URLSearchParams({ stored: "true", text: session_id, before });
      const { sessions } = await source.ask<StoredSessionsBody>(`${base}?${query}`, signal);
      return sessions.some((session) => session.session_id === session_id);
    },
  );
  const isKnown = base !== null && (hasRows === true || isAttempt === true);
  const asked: Asked<SummaryBody | null> = useAnswer(
    `summary ${session_id} ${isKnown} ${done}`,
    async (source, signal) =>
      isKnown ? source.ask<SummaryBody>(`${sessionPath(base, session_id)}/summary`, signal) : null,
    refreshMs,
  );
  return asked.body;
}
