import { useState } from "preact/hooks";

interface KeyDialogProps {
  readonly onKey: (key: string) => void;
  /** What the gateway said to the key before. */
  readonly problem: string;
}

/** Asks for a key of the gateway. It stays in this tab. */
export function KeyDialog({ onKey, problem }: KeyDialogProps) {
  const [key, setKey] = useState("");
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== "") onKey(key.trim());
      }}
    >
      <h2>A key, please</h2>
      <p>{problem}</p>
      <p>
        One of <code>auth.api_keys</code> opens everything, the key of a session that session alone.
        It stays in this tab.
      </p>
      <label>
        Key
        <input
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
