import { useEffect, useRef } from "preact/hooks";

export type KeyHandlers = Readonly<Record<string, () => void>>;

/** Keys that are pressed anywhere but where people write, and in dialogs. `Escape` works where people write, too. */
export function useKeys(handlers: KeyHandlers): void {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const isWriting =
        event.target instanceof HTMLElement &&
        event.target.matches("input, textarea, select, [contenteditable]");
      if (isWriting && event.key !== "Escape") return;
      // A dialog has its keys for itself, and Enter does what has the focus.
      if (document.querySelector("dialog[open]") !== null) return;
      const isControl =
        event.target instanceof HTMLElement && event.target.matches("a, button, summary");
      if (event.key === "Enter" && isControl) return;
      const handle = current.current[event.key];
      if (handle === undefined) return;
      event.preventDefault();
      handle();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}
