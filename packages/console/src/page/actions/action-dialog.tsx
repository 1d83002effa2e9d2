import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface ActionDialogProps {
  /** What is done, and what the button says. */
  readonly title: string;
  /** What will happen, and fields for what it needs to know. */
  readonly children: ComponentChildren;
  /** @returns what came of it @throws Error why nothing did */
  readonly run: () => Promise<ComponentChildren>;
  /** @param isDone whether it was run */
  readonly onClose: (isDone: boolean) => void;
}

/** Asks before something is done, and says what came of it. */
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
      setSaid(error instanceof Error ? error.message : String(error));
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
