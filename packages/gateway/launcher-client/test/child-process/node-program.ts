import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { onTestFinished } from "vitest";

/** A command line that runs a program from its own folder; `folder` is the working directory. */
export interface NodeProgram {
  readonly command: string;
  readonly folder: string;
}

export async function nodeProgram(source: string): Promise<NodeProgram> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, "program.mjs");
  await writeFile(file, source);
  return { command: `"${process.execPath}" "${file}"`, folder: folder.path };
}
