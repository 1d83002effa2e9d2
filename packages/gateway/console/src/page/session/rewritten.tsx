import type { StoredRow } from "@proj/session-store";
import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import type { WholeSteps } from "../data/source.ts";
import { useAnswer } from "../data/use-answer.ts";
import { plural } from "../text/format.ts";
import { Notice } from "../text/notice.tsx";
import { beginning, sharedMessages } from "./added.ts";
import { Message, type ToolNames } from "./parts.tsx";
import { factsOf } from "./step-facts.ts";

/** The path of the session; null until it is known. */
export const SessionPathContext = createContext<string | null>(null);

interface RewrittenProps {
  readonly row: StoredRow;
  readonly tools: ToolNames;
}

/** A request from the point where its history is new. No row has that on its own, so it is read on demand. */
export function Rewritten({ row, tools }: RewrittenProps) {
  const [isWanted, setWanted] = useState(false);
  if (isWanted) return <FromThere row={row} tools={tools} />;
  return (
    <p class="elsewhere">
      <button type="button" onClick={() => setWanted(true)}>
        {isNaming(row) ? "Show what it adds" : "Show what differs"}
      </button>
    </p>
  );
}

function FromThere({ row, tools }: RewrittenProps) {
  const path = useContext(SessionPathContext);
  const { body, error } = useAnswer(`whole ${path} ${row.id}`, (source, signal) =>
    source.ask<WholeSteps>(`${path}/steps?after=${row.id - 1}&limit=1`, signal),
  );
  if (error !== null) return <Notice error={error} />;
  if (body === null) return <p class="empty">Loading …</p>;
  const history = body.steps.find(({ id }) => id === row.id)?.messages ?? null;
  const messages =
    history === null ? null : beginning({ ...row, request: null, messages: history }, history);
  if (history === null || messages === null)
    return <p class="empty">The messages cannot be read.</p>;
  const known = isNaming(row) ? 0 : sharedMessages(history, row.messages_shared ?? 0);
  return (
    <>
      {!isNaming(row) && <p class="prefix">{plural(known, "message")} unchanged, then</p>}
      {messages.slice(known).map((message, index) => (
        <Message key={index} message={message} tools={tools} />
      ))}
    </>
  );
}

const isNaming = (row: StoredRow): boolean => factsOf(row).continues !== null;
