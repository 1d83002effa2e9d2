import { LongText } from "./long-text.tsx";
import { visible } from "./visible.ts";

/** More lines are not coloured. */
const maxLines = 2_000;

/** Whether a text is a difference between files, as `git diff` and `diff -u` write it. */
export const isDiff = (text: string): boolean =>
  /^(?:diff --git .*|--- .+\n\+\+\+ .+)$/m.test(text.slice(0, 4_000)) &&
  /^@@ .* @@/m.test(text.slice(0, 8_000));

/** A difference between files: what was added and removed can be told apart, without colours too. */
export function DiffText({ text }: { readonly text: string }) {
  const lines = text.split("\n");
  if (lines.length > maxLines) return <LongText class="said code" text={text} />;
  return (
    <div class="said code">
      {lines.map((line, index) => (
        <div key={index} class={classOf(line)}>
          {visible(line) || "\u00a0"}
        </div>
      ))}
    </div>
  );
}

function classOf(line: string): string {
  if (/^(?:\+\+\+|---|diff |index )/.test(line)) return "quiet";
  if (line.startsWith("+")) return "gain";
  if (line.startsWith("-")) return "bad";
  return line.startsWith("@@") ? "quiet" : "";
}
