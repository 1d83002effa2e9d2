import { useState } from "preact/hooks";
import { sessionPath } from "../data/source.ts";
import { useSource } from "../data/use-answer.ts";
import { useHasGateway } from "../data/use-has-gateway.ts";
import { count, plural } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { download, exportSession } from "./export-session.ts";

export interface SessionActionProps {
  readonly session_id: string;
  readonly onClose: (isDone: boolean) => void;
}

/** What can be done with a session, by what the menu says. Each asks first. */
const actions = {
  "Export …": { Dialog: ExportDialog, needsGateway: false },
  "Close …": { Dialog: CloseDialog, needsGateway: true },
  "Clean …": { Dialog: CleanDialog, needsGateway: true },
} as const;

type ActionName = keyof typeof actions;
const names = Object.keys(actions) as ActionName[];

/** @param onDone something was done to the session */
export function SessionActions({
  session_id,
  onDone,
}: {
  readonly session_id: string;
  readonly onDone: () => void;
}) {
  const source = useSource();
  const hasGateway = useHasGateway(source);
  const [chosen, setChosen] = useState<ActionName | null>(null);
  if (!source.isLive) return null;
  const Dialog = chosen === null ? null : actions[chosen].Dialog;
  return (
    <>
      {names
        .filter((name) => hasGateway || !actions[name].needsGateway)
        .map((name) => (
          <button key={name} type="button" onClick={() => setChosen(name)}>
            {name}
          </button>
        ))}
      {Dialog !== null && (
        <Dialog
          session_id={session_id}
          onClose={(isDone) => {
            setChosen(null);
            if (isDone) onDone();
          }}
        />
      )}
    </>
  );
}

function ExportDialog({ session_id, onClose }: SessionActionProps) {
  const source = useSource();
  const [read, setRead] = useState(0);
  return (
    <ActionDialog
      title="Export"
      onClose={onClose}
      run={async () => {
        const content = await exportSession(source, session_id, setRead);
        download(`${session_id}.jsonl`, content);
        return "The browser has the file.";
      }}
    >
      <p>
        All calls of the session into one file of JSON Lines, whole: requests, histories, answers
        and what was recorded beside them. Nothing is changed.
      </p>
      {read > 0 && <p>{plural(read, "call")} read.</p>}
    </ActionDialog>
  );
}

/** How long a close is waited for, in seconds. */
const waitS = 20;

interface Closed {
  readonly status: string;
  readonly in_flight: number;
}

function CloseDialog({ session_id, onClose }: SessionActionProps) {
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
          ? "It is closed."
          : `It is ${status}: ${count(in_flight)} in flight.`;
      }}
    >
      <p>
        The session takes no more requests: its agent gets 403 and stops. What is in flight may end,
        and all rows are written.
      </p>
      <label class="choice">
        <input
          type="checkbox"
          checked={isAbort}
          onChange={({ currentTarget }) => setAbort(currentTarget.checked)}
        />{" "}
        Cut off what is in flight
      </label>
    </ActionDialog>
  );
}

function CleanDialog({ session_id, onClose }: SessionActionProps) {
  const source = useSource();
  return (
    <ActionDialog
      title={`Clean ${visible(session_id)}`}
      onClose={onClose}
      run={async () => {
        const path = sessionPath(await source.sessionsPath(), session_id);
        const { cleaned } = await source.send<{ cleaned: boolean }>(`${path}/clean`, {});
        return cleaned ? "The gateway let go of it." : "The gateway did not have it in memory.";
      }}
    >
      <p>
        The gateway forgets that the session is closed, and frees its memory. Its rows stay, and its
        id may be used again. It has to be closed first.
      </p>
    </ActionDialog>
  );
}
