import { useEffect, useRef, useState } from "preact/hooks";
import { visible } from "../text/visible.ts";

interface KeyDialogProps {
  readonly onKey: (key: string) => void;
  /** Why the gateway refused the request. */
  readonly problem: string;
}

/** Asks for one of the gateway's keys, which stays in this tab. */
export function KeyDialog({ onKey, problem }: KeyDialogProps) {
  const [key, setKey] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== "") onKey(key.trim());
      }}
    >
      <h2>Enter a key</h2>
      <p>{visible(problem)}</p>
      <p>
        Any of <code>auth.api_keys</code> opens everything; a session's own key opens only that
        session. The key stays in this tab.
      </p>
      <label>
        Key
        <input
          ref={field}
          type="password"
          autocomplete="off"
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Open</button>
    </form>
  );
}
