import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { visible } from "../text/visible.ts";

/** Shows the children; an exception of theirs takes their place and leaves the rest of the page alone. */
export function Guarded({ children }: { readonly children: ComponentChildren }) {
  const [failure, retry] = useErrorBoundary((error) => globalThis.console.error(error));
  if (failure === undefined) return <>{children}</>;
  const reason = failure instanceof Error ? failure.message : String(failure);
  return (
    <section role="alert">
      <p class="notice">This view cannot be shown: {visible(reason)}. The others can.</p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </section>
  );
}
