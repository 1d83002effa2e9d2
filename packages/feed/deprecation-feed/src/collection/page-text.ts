import { createTwoFilesPatch } from "diff";

/** The text of a provider's page, for people who want to see what has changed on it. */
export interface PageText {
  /** One line per heading, paragraph, list item and table row, as it was last read. */
  readonly text: string;
  /** What has changed, the newest change first, as patches. */
  readonly changes: string;
}

/** In characters; older changes are dropped beyond. */
const maxChanges = 200_000;
/** A page that takes longer to compare, in milliseconds, is kept without its changes. */
const timeout = 2000;

/** The text of a page after a good reading; the same object if nothing has changed. */
export function updatePageText(
  before: PageText | undefined,
  lines: readonly string[],
  day: string,
): PageText {
  const text = `${lines.filter((line) => line.trim() !== "").join("\n")}\n`;
  if (before === undefined || before.text === "") return { text, changes: "" };
  if (before.text === text) return before;
  const options = { context: 1, timeout };
  const patch = createTwoFilesPatch("page", "page", before.text, text, "", day, options) ?? "";
  return { text, changes: `${patch}${before.changes}`.slice(0, maxChanges) };
}
