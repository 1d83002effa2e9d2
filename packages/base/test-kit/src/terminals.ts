import { execFileSync } from "node:child_process";
import { isLeftOut } from "./left-out.ts";

/** Whether a suite of programs on terminals has to be left out, for want of `script`; if so, prints it. */
export function isLeftOutWithoutTerminals(suite: string): boolean {
  return isLeftOut(suite, hasScript(), "it needs `script` of util-linux");
}

/** Whether the `script` of util-linux, which gives a program a terminal, is installed. */
function hasScript(): boolean {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
}
