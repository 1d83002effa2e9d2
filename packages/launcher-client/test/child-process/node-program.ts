import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { onTestFinished } from "vitest";

/** A command line that runs a program, which is written to a folder of its own; `folder` is where it runs. */
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
