import type { StoredRow } from "@proj/session-store";

/** What the dialog of an action is told. */
export interface SessionActionProps {
  readonly session_id: string;
  /** The step that is looked at; null: there is none. */
  readonly step: StoredRow | null;
  /** @param isDone whether it was run */
  readonly onClose: (isDone: boolean) => void;
}
