import type { StoredRow } from "@proj/session-store";

/** What an action's dialog gets. */
export interface SessionActionProps {
  readonly session_id: string;
  /** The current step; null: there is none. */
  readonly step: StoredRow | null;
  /** @param isDone whether the action was carried out */
  readonly onClose: (isDone: boolean) => void;
}
