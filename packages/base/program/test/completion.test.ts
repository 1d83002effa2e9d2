import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLeftOut, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { bakery } from "./bakery.ts";
import { runHere } from "./run-here.ts";

const has = (shell: string): boolean =>
  ["/bin", "/usr/bin", "/usr/local/bin"].some((folder) => existsSync(join(folder, shell)));
const without = (shell: string): boolean =>
  isLeftOut(`completion in ${shell}`, has(shell), `it needs ${shell}`);

const scriptOf = async (shell: string): Promise<string> =>
  (await runHere(bakery, ["completion", shell])).stdout;

test.skipIf(without("bash"))("bash completes commands, options, words and files", async () => {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, "rye.txt"), "");
  const script = await scriptOf("bash");
  const complete = (...words: string[]): string[] => {
    const line = words.map((word) => `'${word}'`).join(" ");
    const call = `${script}\nCOMP_WORDS=(bakery ${line}); COMP_CWORD=${words.length}
_bakery_completion; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const options = { cwd: folder.path, encoding: "utf8" } as const;
    return execFileSync("bash", ["-c", call], options).trim().split("\n");
  };
  expect(complete("ba")).toEqual(["bake"]);
  expect(complete("--p")).toEqual(["--port"]);
  expect(complete("bake", "--c")).toEqual(["--crust"]);
  expect(complete("bake", "--crust", "t")).toEqual(["thin", "thick"]);
  expect(complete("bake", "r")).toEqual(["rye.txt"]);
  expect(complete("--config", "r")).toEqual(["rye.txt"]);
  expect(complete("completion", "")).toEqual(["bash", "zsh", "fish", "--help"]);
});

test.each(["zsh", "fish"])("%s can read its script", async (shell) => {
  const script = await scriptOf(shell);
  for (const word of ["bake", "--crust", "thin thick"])
    expect(script).toContain(shell === "fish" ? word.replace("--crust", "-l crust") : word);
  if (without(shell)) return;
  await using folder = await temporaryFolder();
  const file = join(folder.path, "completion");
  writeFileSync(file, script);
  execFileSync(shell, ["-n", file]);
});
