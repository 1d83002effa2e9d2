import { hrefOf } from "../shell/location.ts";
import { LongText } from "../text/long-text.tsx";
import { readable } from "../text/rendered.tsx";
import { visible } from "../text/visible.ts";
import type { Action } from "./action.ts";

interface ActionCellProps {
  /** Null: the rollout did nothing here. */
  readonly action: Action | null;
  readonly session_id: string;
  /** Shows all of the text, not one line of it. */
  readonly isWhole?: boolean;
}

export function ActionCell({ action, session_id, isWhole = false }: ActionCellProps) {
  if (action === null) return <span class="quiet">–</span>;
  const { tool, text, isFailed, remark, row, step_id } = action;
  return (
    <>
      <a
        class="at"
        href={hrefOf("sessions", session_id, { step: String(row) })}
        aria-label={`Step ${step_id} of ${visible(session_id)}`}
      >
        {step_id}
      </a>{" "}
      <span class={isFailed ? "bad" : "tool"}>{isFailed ? "failed" : visible(tool ?? "says")}</span>{" "}
      {isWhole ? (
        <LongText class={tool === null ? "said" : "said code"} text={readable(text)} />
      ) : (
        <bdi class="preview">{visible(text.slice(0, 240).replace(/\s+/g, " "))}</bdi>
      )}
      {isWhole && remark !== "" && <LongText class="said quiet" text={remark} />}
    </>
  );
}
