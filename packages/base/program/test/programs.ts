import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type LoadedProgram, loadProgram, type Program } from "../src/index.ts";

const apps = new URL("../../../../apps/", import.meta.url);

export interface WorkspaceProgram {
  readonly program: Program;
  readonly loaded: LoadedProgram;
  /** The source of the file that `bin` in its package.json names. */
  readonly bin: string;
}

/** Every program of the workspace, as exported by its package. */
export const readPrograms = (): Promise<WorkspaceProgram[]> =>
  Promise.all(readdirSync(apps).map(readProgram));

async function readProgram(folder: string): Promise<WorkspaceProgram> {
  const at = (path: string): URL => new URL(`${folder}/${path}`, apps);
  const { bin } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  const [program]: Program[] = Object.values(await import(at("src/main.ts").href));
  if (program === undefined) throw new Error(`${folder} exports no program`);
  if (bin[program.name] !== "./dist/bin.js") throw new Error(`${folder} is not started by bin.ts`);
  return { program, loaded: await loadProgram(program), bin: fileURLToPath(at("src/bin.ts")) };
}
