import { useState } from "preact/hooks";

/** A button that copies a text. */
export function Copy({ name, text }: { readonly name: string; readonly text: () => string }) {
  const [said, setSaid] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid("Copied");
    } catch {
      setSaid("The browser refused");
    }
    setTimeout(() => setSaid(null), 1_500);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      <span aria-live="polite">{said ?? name}</span>
    </button>
  );
}
