import type { StoredRow } from "@proj/session-store";
import { useRef, useState } from "preact/hooks";
import { useSource } from "../data/use-answer.ts";
import { useHasGateway } from "../data/use-has-gateway.ts";
import { useKeys } from "../shell/keys.ts";
import { CleanDialog, CloseDialog } from "./end-session.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { ForkDialog, ReplayDialog } from "./fork-session.tsx";
import "./actions.css";

/** The actions on a session, by their names in the menu. Each asks first. */
const actions = {
  "Fork from here …": { Dialog: ForkDialog, needsGateway: true },
  "Replay …": { Dialog: ReplayDialog, needsGateway: true },
  "Export …": { Dialog: ExportDialog, needsGateway: false },
  "Close …": { Dialog: CloseDialog, needsGateway: true },
  "Clean …": { Dialog: CleanDialog, needsGateway: true },
} as const;

type ActionName = keyof typeof actions;
const names = Object.keys(actions) as ActionName[];

interface SessionActionsProps {
  readonly session_id: string;
  /** The current step, which is what "here" means. */
  readonly step: StoredRow | null;
  /** Called after an action. */
  readonly onDone: () => void;
}

export function SessionActions({ session_id, step, onDone }: SessionActionsProps) {
  const source = useSource();
  const hasGateway = useHasGateway(source);
  const [chosen, setChosen] = useState<ActionName | null>(null);
  const menu = useRef<HTMLDetailsElement>(null);
  const fold = (): void => menu.current?.removeAttribute("open");
  useKeys(hasGateway ? { f: () => setChosen("Fork from here …") } : {});
  if (!source.isLive) return null;
  const Dialog = chosen === null ? null : actions[chosen].Dialog;
  return (
    <>
      <details
        ref={menu}
        class="menu"
        onKeyDown={(event) => {
          if (event.key !== "Escape" || menu.current?.open !== true) return;
          event.preventDefault();
          fold();
          menu.current.querySelector("summary")?.focus();
        }}
        onFocusOut={({ relatedTarget }) => {
          if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) fold();
        }}
      >
        <summary>Actions</summary>
        <div>
          {names
            .filter((name) => hasGateway || !actions[name].needsGateway)
            .map((name) => (
              <button
                key={name}
                type="button"
                onClick={() => {
                  fold();
                  setChosen(name);
                }}
              >
                {name}
              </button>
            ))}
        </div>
      </details>
      {Dialog !== null && (
        <Dialog
          session_id={session_id}
          step={step}
          onClose={(isDone) => {
            setChosen(null);
            if (isDone) onDone();
          }}
        />
      )}
    </>
  );
}
