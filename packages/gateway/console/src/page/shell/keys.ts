import { useEffect, useRef } from "preact/hooks";

export type KeyHandlers = Readonly<Record<string, () => void>>;

/** Handles keys everywhere but in dialogs and fields for text. In those fields, `Escape` still works. */
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
      // An open dialog gets all keys, and Enter activates whatever has the focus.
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
