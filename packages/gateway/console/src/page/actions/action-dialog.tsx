import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { visible } from "../text/visible.ts";

interface ActionDialogProps {
  /** Names the action, also on its button. */
  readonly title: string;
  /** Says what will happen, with fields for what the action needs. */
  readonly children: ComponentChildren;
  /** @returns the outcome @throws Error why it failed */
  readonly run: () => Promise<ComponentChildren>;
  /** @param isDone whether the action was carried out */
  readonly onClose: (isDone: boolean) => void;
}

/** Asks before an action, and reports its outcome. */
export function ActionDialog({ title, children, run, onClose }: ActionDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [state, setState] = useState<"asking" | "running" | "done">("asking");
  const [said, setSaid] = useState<ComponentChildren>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const confirm = async (): Promise<void> => {
    setState("running");
    setSaid(null);
    try {
      setSaid(await run());
      setState("done");
    } catch (error) {
      setSaid(visible(error instanceof Error ? error.message : String(error)));
      setState("asking");
    }
  };
  return (
    <dialog
      ref={dialog}
      onClose={() => onClose(state === "done")}
      aria-label={title}
      class="action"
    >
      <h2>{title}</h2>
      {state !== "done" && children}
      <p class={state === "done" ? "" : "bad"} role="status">
        {said}
      </p>
      <p class="tools">
        {state !== "done" && (
          <button
            type="button"
            class="confirm"
            disabled={state === "running"}
            onClick={() => void confirm()}
          >
            {state === "running" ? "Waiting …" : title}
          </button>
        )}
        <button type="button" onClick={() => dialog.current?.close()}>
          {state === "done" ? "Close" : "Cancel"}
        </button>
      </p>
    </dialog>
  );
}
