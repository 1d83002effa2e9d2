import { useState } from "preact/hooks";
import { sessionPath } from "../data/source.ts";
import { useAnswer, useSource } from "../data/use-answer.ts";
import { useHasGateway } from "../data/use-has-gateway.ts";
import { hrefOf } from "../shell/location.ts";
import { Copy } from "../text/copy.tsx";
import { Notice } from "../text/notice.tsx";
import { visible } from "../text/visible.ts";

const session_id = "first";

/** What to do while nothing is recorded. */
export function FirstSteps() {
  const hasGateway = useHasGateway(useSource());
  return (
    <div class="empty">
      <p>Nothing is recorded yet.</p>
      {hasGateway && <FirstCall />}
      <p>
        In a clone, <code>npm run demo</code> runs a whole job: agents, rewards, and what happened.
      </p>
    </div>
  );
}

/** A call to copy, and one to make here. */
function FirstCall() {
  const source = useSource();
  const { body } = useAnswer("first call", async (source, signal) => ({
    sessions: await source.sessionsPath(),
    models: await source.ask<{ readonly data: readonly { id: string }[] }>("/v1/models", signal),
  }));
  const [text, setText] = useState("Hello");
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const model = body?.models.data[0]?.id;
  if (body === null || model === undefined) return null;
  const path = `${sessionPath(body.sessions, session_id)}/chat/completions`;
  const request = { model, messages: [{ role: "user", content: text }] };
  const quoted = JSON.stringify(request).replaceAll("'", "'\\''");
  const curl = `curl -s '${location.origin}${path}' -H 'content-type: application/json' -d '${quoted}'`;
  const ask = async (): Promise<void> => {
    setAsking(true);
    setError(null);
    try {
      await source.send(path, request);
      location.hash = hrefOf("sessions", session_id);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
    setAsking(false);
  };
  return (
    <>
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <label>
          <span class="hidden">A message to the model</span>
          <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
        </label>
        <button type="submit" disabled={isAsking}>
          {isAsking ? "Asking …" : `Ask ${visible(model)}`}
        </button>
      </form>
      <Notice error={error} />
      <p>Or from a terminal:</p>
      <pre class="said code">{curl}</pre>
      <Copy name="Copy" text={() => curl} />
    </>
  );
}
