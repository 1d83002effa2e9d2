import { type Source, sessionPath } from "../data/source.ts";

interface StepPage {
  readonly steps: readonly { readonly id: number }[];
  readonly next_after: number | null;
}

/**
 * A session's steps with their whole histories, as JSON Lines.
 * @param onSteps called with the number of steps read so far
 */
export async function exportSession(
  source: Source,
  session_id: string,
  onSteps: (steps: number) => void,
): Promise<Blob> {
  const path = sessionPath(await source.sessionsPath(), session_id);
  const lines: string[] = [];
  let count = 0;
  for (let after: number | null = 0; after !== null; ) {
    const page: StepPage = await source.ask<StepPage>(`${path}/steps?after=${after}`);
    lines.push(...page.steps.map((step) => `${JSON.stringify(step)}\n`));
    count += page.steps.length;
    onSteps(count);
    after = page.next_after;
  }
  return new Blob(lines, { type: "application/jsonl" });
}

/** Has the browser save it as a file. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
