import { marked } from "marked";

const frontMatter = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/;
/** Lines with only a component's tag (MDX): Markdown would treat what follows as raw HTML. */
const componentTag = /^[ \t]*<\/?[A-Z][\w.]*(?:\s[^<>]*)?>[ \t]*$/gm;
/** An entry of a change log (Mintlify): its label is the heading of what it contains. */
const update = /^<Update label="([^"\n]{1,100})"[^>\n]*>$([\s\S]*?)^<\/Update>$/gm;
/** Components indent their content, which Markdown would treat as code. */
const indentedRow = /^[ \t]+(?=\|)/gm;
const heading = /^ {0,3}#{1,6} \S/m;
const tableRule = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*\|(?:[ \t]*:?-+:?[ \t]*(?:\||$))*[ \t]*$/m;
const htmlStart = /^\uFEFF?\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype|html|head|body)\b/i;
const htmlBlock = /<\/(?:table|p|div|section|article|main|ul|h[1-6])>/i;

/** Converts a page in HTML or Markdown (GFM) to HTML. */
export function toHtml(page: string): string {
  if (isHtml(page)) return page;
  const markdown = page
    .replace(frontMatter, "")
    .replace(update, (_, label, body) => `# ${label}\n${dedent(body)}`)
    .replace(componentTag, "")
    .replace(indentedRow, "");
  return marked.parse(markdown, { async: false, gfm: true });
}

/** One level out, with its headings below that of the entry. */
const dedent = (body: string): string => body.replace(/^ {2}/gm, "").replace(/^(?=#{1,5} )/gm, "#");

function isHtml(page: string): boolean {
  if (htmlStart.test(page)) return true;
  return htmlBlock.test(page) && !heading.test(page) && !tableRule.test(page);
}
