import { useState } from "preact/hooks";
import { sessionPath } from "../data/source.ts";
import { useSource } from "../data/use-answer.ts";
import { count } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { ActionDialog } from "./action-dialog.tsx";
import type { SessionActionProps } from "./session-action.ts";

/** How long to wait for a close, in seconds. */
const waitS = 20;

interface Closed {
  readonly status: string;
  readonly in_flight: number;
}

export function CloseDialog({ session_id, onClose }: SessionActionProps) {
  const source = useSource();
  const [isAbort, setAbort] = useState(false);
  return (
    <ActionDialog
      title={`Close ${visible(session_id)}`}
      onClose={onClose}
      run={async () => {
        const path = sessionPath(await source.sessionsPath(), session_id);
        const { status, in_flight } = await source.send<Closed>(`${path}/close?wait=${waitS}`, {
          reason: "closed in the console",
          mode: isAbort ? "abort" : "drain",
        });
        return status === "closed"
          ? "The session is closed."
          : `The session is ${status}: ${count(in_flight)} in flight.`;
      }}
    >
      <p>
        The session takes no more requests: its agent gets 400 and stops. Requests in flight may
        finish, and every row is written.
      </p>
      <label class="choice">
        <input
          type="checkbox"
          checked={isAbort}
          onChange={({ currentTarget }) => setAbort(currentTarget.checked)}
        />{" "}
        Abort the requests in flight
      </label>
    </ActionDialog>
  );
}

export function CleanDialog({ session_id, onClose }: SessionActionProps) {
  const source = useSource();
  return (
    <ActionDialog
      title={`Clean ${visible(session_id)}`}
      onClose={onClose}
      run={async () => {
        const path = sessionPath(await source.sessionsPath(), session_id);
        const { cleaned } = await source.send<{ cleaned: boolean }>(`${path}/clean`, {});
        return cleaned
          ? "The gateway has forgotten the session."
          : "The gateway did not have the session in memory.";
      }}
    >
      <p>
        The gateway forgets that the session was closed and frees its memory. Its rows stay, and its
        id can be used again. The session must be closed first.
      </p>
    </ActionDialog>
  );
}
