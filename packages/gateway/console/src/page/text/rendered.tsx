import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { lazyView } from "../shell/lazy-view.tsx";
import { DiffText, isDiff } from "./diff-text.tsx";
import { hasFormulas } from "./formula-text.ts";
import { LongText } from "./long-text.tsx";
import { prettyJson } from "./pretty-json.ts";
import { visible } from "./visible.ts";

/** Whether texts are shown exactly as they were written. */
export const RawContext = createContext(false);

/** Longer texts are shown as they were written: reading them as Markdown could hold up the page. */
const maxMarkdown = 12_000;
const markdown = /^ {0,3}(?:#{1,6} |[-*+] |\d{1,3}[.)] |>|```|~~~|\|)|\*\*\S|`[^`\n]+`|\]\(/m;

const Markdown = lazyView(async () => (await import("./markdown.tsx")).Markdown, LongText);

/** What somebody wrote: Markdown and LaTeX as they are meant. */
export function Prose({ text }: { readonly text: string }) {
  const isRaw = useContext(RawContext);
  const isPlain = text.length > maxMarkdown || !(markdown.test(text) || hasFormulas(text));
  return isRaw || isPlain ? <LongText text={text} /> : <Markdown text={text} />;
}

/** What a tool returned: differences in colours, JSON with its texts as lines, anything else as it is. */
export function ResultText({ text }: { readonly text: string }) {
  if (useContext(RawContext)) return <LongText text={text} class="said code" />;
  if (isDiff(text)) return <DiffText text={text} />;
  const members = membersWithLines(text);
  if (members === null) return <LongText text={readable(text)} class="said code" />;
  return (
    <dl class="members">
      {members.map(([name, value]) => (
        <div key={name}>
          <dt>{visible(name)}</dt>
          <dd>
            {isDiff(value) ? (
              <DiffText text={value} />
            ) : (
              <LongText text={value} class="said code" />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const maxJson = 1_000_000;

/** JSON is formatted, unless it is too long. */
export const readable = (text: string): string =>
  text.length < maxJson && /^\s*[[{]/.test(text) ? prettyJson(text) : text;

/** Of a JSON object with texts of several lines, all members; null: it is something else. */
function membersWithLines(text: string): readonly (readonly [string, string])[] | null {
  if (text.length > maxJson || !/^\s*\{/.test(text) || !text.includes("\\n")) return null;
  try {
    const members = Object.entries(JSON.parse(text) as object);
    const hasLines = members.some(([, value]) => typeof value === "string" && /\n/.test(value));
    if (!hasLines || members.length > 100) return null;
    return members.map(([name, value]) => [
      name,
      typeof value === "string" ? value : prettyJson(JSON.stringify(value)),
    ]);
  } catch {
    return null;
  }
}
