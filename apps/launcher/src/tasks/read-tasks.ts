import { findTasks, readTask, type TaskFolder } from "@proj/launcher-client";
import { exitCode, ProgramError } from "@proj/program";

/**
 * The tasks of a folder.
 * @throws ProgramError lists everything by which one of them cannot be run
 */
export async function readTasks(
  path: string,
  ignored: readonly string[],
): Promise<readonly TaskFolder[]> {
  const folders = await findTasks(path).catch((error: Error) => {
    throw new ProgramError(`--tasks: ${error.message}`, exitCode.usage);
  });
  if (folders.length === 0)
    throw new ProgramError(`--tasks: ${path} holds no task.toml`, exitCode.usage);
  const tasks: TaskFolder[] = [];
  const problems: string[] = [];
  for (const folder of folders) {
    const read = await readTask(folder, ignored);
    if (read.task !== null) tasks.push(read.task);
    for (const problem of read.problems) problems.push(`${folder}: ${problem}`);
  }
  if (problems.length === 0) return tasks;
  const hint = "nothing was started; --ignore-field FIELD disregards a member";
  throw new ProgramError([...problems, hint].join("\n  "), exitCode.usage);
}
