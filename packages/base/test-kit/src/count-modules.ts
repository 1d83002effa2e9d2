import { execFile } from "node:child_process";
import { promisify } from "node:util";

const counter = `
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";
const loaded = new Set();
registerHooks({ load: (url, context, next) => { loaded.add(url); return next(url, context); } });
if (isMainThread) process.on("exit", () => console.error("\\nmodules " + loaded.size));
`;

/**
 * Runs a program from its sources, and counts the modules that its main thread loads, Node's own included.
 * @throws Error it does not end with 0
 */
export async function countModules(script: string, args: readonly string[]): Promise<number> {
  const hook = `data:text/javascript,${encodeURIComponent(counter)}`;
  const { stderr } = await promisify(execFile)(process.execPath, [
    ...["--import", hook, "--conditions=@proj/source", script, ...args],
  ]);
  const [, modules] = /^modules (\d+)$/m.exec(stderr) ?? [];
  if (modules === undefined) throw new Error(`nothing was counted:\n${stderr}`);
  return Number(modules);
}
