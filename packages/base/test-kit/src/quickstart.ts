import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Quickstart {
  /** Of the example. */
  readonly path: string;
  /** As the README has to show it. */
  readonly block: string;
  readonly readme: string;
}

/** A package's example, and the README that shows it. @param test URL of a module in its folder `test` */
export function quickstartOf(test: string, example = "quickstart"): Quickstart {
  const at = (path: string): string => fileURLToPath(new URL(path, test));
  const path = at(`../examples/${example}.ts`);
  const block = `\`\`\`ts\n${readFileSync(path, "utf8")}\`\`\``;
  return { path, block, readme: readFileSync(at("../README.md"), "utf8") };
}
