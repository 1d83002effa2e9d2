import { useState } from "preact/hooks";
import { useSource } from "../data/use-answer.ts";
import { plural } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { download, exportSession } from "./export-session.ts";
import type { SessionActionProps } from "./session-action.ts";

export function ExportDialog({ session_id, onClose }: SessionActionProps) {
  const source = useSource();
  const [read, setRead] = useState(0);
  return (
    <ActionDialog
      title="Export"
      onClose={onClose}
      run={async () => {
        const content = await exportSession(source, session_id, setRead);
        download(`${visible(session_id)}.jsonl`, content);
        return "The browser has the file.";
      }}
    >
      <p>
        This writes every call of the session into one JSON Lines file, in full: requests,
        histories, answers and everything recorded with them. Nothing is changed.
      </p>
      {read > 0 && <p>{plural(read, "call")} read.</p>}
    </ActionDialog>
  );
}
