import { useState } from "preact/hooks";
import { bytes } from "./format.ts";
import { visible } from "./visible.ts";

const firstCharacters = 6_000;
const moreCharacters = 200_000;

interface LongTextProps {
  readonly text: string;
  readonly class?: string;
}

/** Text exactly as it is; long text in parts, so that no step can hold up the page. */
export function LongText({ text, class: name = "said" }: LongTextProps) {
  const [shown, setShown] = useState(firstCharacters);
  const rest = text.length - shown;
  return (
    <div class={name} dir="auto">
      {visible(text.slice(0, shown))}
      {rest > 0 && (
        <button type="button" class="more" onClick={() => setShown(shown + moreCharacters)}>
          … {bytes(rest)} more
        </button>
      )}
    </div>
  );
}
