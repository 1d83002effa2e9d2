import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { sessionPath } from "../data/source.ts";
import { useSource } from "../data/use-answer.ts";
import { hrefOf } from "../shell/location.ts";
import { count, plural } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { ActionDialog } from "./action-dialog.tsx";
import type { SessionActionProps } from "./session-action.ts";

/** A new session that begins like this one, up to the current step. */
export function ForkDialog({ session_id, step, onClose }: SessionActionProps) {
  const last = step !== null && step.step_id > 0 ? step : null;
  const upTo = last === null ? "all recorded steps" : stepsUpTo(last.step_id);
  return (
    <BeginDialog
      session_id={session_id}
      onClose={onClose}
      title={last === null ? "Fork" : `Fork from step ${count(last.step_id)}`}
      suggestion={`${session_id}-fork${last === null ? "" : `-${last.step_id}`}`}
      begins={{
        mode: "fork",
        ...(last === null ? {} : { step: last.step_id, model: last.model }),
      }}
    >
      <p>
        This starts a new session. While its agent asks what this session's agent asked, it gets the
        answers of {upTo} from the record; after that, its requests go to the model. Nothing is sent
        now, and this session does not change.
      </p>
    </BeginDialog>
  );
}

/** A new session that never asks a model. */
export function ReplayDialog({ session_id, onClose }: SessionActionProps) {
  return (
    <BeginDialog
      session_id={session_id}
      onClose={onClose}
      title="Replay"
      suggestion={`${session_id}-replay`}
      begins={{ mode: "replay" }}
    >
      <p>
        This starts a new session in which no model is asked: its agent gets every answer from this
        session's record. If it asks anything else, it gets 409 with the first difference. This
        session does not change.
      </p>
    </BeginDialog>
  );
}

const stepsUpTo = (last: number): string => (last === 1 ? "step 1" : `steps 1 to ${count(last)}`);

interface Begins {
  readonly mode: "fork" | "replay";
  readonly step?: number;
  readonly model?: string;
}

interface BeginDialogProps extends Pick<SessionActionProps, "session_id" | "onClose"> {
  readonly title: string;
  /** An id for the new session. */
  readonly suggestion: string;
  readonly begins: Begins;
  readonly children: ComponentChildren;
}

function BeginDialog(props: BeginDialogProps) {
  const { session_id, title, suggestion, begins, onClose, children } = props;
  const source = useSource();
  const [id, setId] = useState(suggestion);
  return (
    <ActionDialog
      title={title}
      onClose={onClose}
      run={async () => {
        const base = await source.sessionsPath();
        const path = sessionPath(base, id.trim());
        const { recorded_steps } = await source.send<{ recorded_steps: number }>(`${path}/fork`, {
          from: session_id,
          ...begins,
        });
        return (
          <>
            {plural(recorded_steps, "recorded step")} will answer. Start the agent with the base URL{" "}
            <code>
              {location.origin}
              {path}
            </code>
            , then watch it in <a href={hrefOf("sessions", id.trim())}>{visible(id.trim())}</a>.
          </>
        );
      }}
    >
      {children}
      <label>
        Id of the new session
        <input
          type="search"
          value={id}
          spellcheck={false}
          onInput={({ currentTarget }) => setId(currentTarget.value)}
        />
      </label>
    </ActionDialog>
  );
}
