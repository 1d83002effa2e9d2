import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import { type Gateway, startLauncher } from "../launcher.ts";
import { sessionsOf, stepsOf } from "./recorded-steps.ts";
import { lastWord } from "./scripted-model.ts";

/**
 * Runs a program by its recipe on a task whose judge wants `steps.txt` with two lines, and checks what is recorded.
 * @param bin the folder of the program
 */
export async function playRecipe(
  gateway: Gateway,
  { name, bin, steps }: { readonly name: string; readonly bin: string; readonly steps: number },
): Promise<void> {
  const env_params = { prompt: '-- Write the steps down.\nThen "end".', time_limit_s: 160 };
  await gateway.write(`${name}.yaml`, JSON.stringify([{ simulation_id: "it", env_params }]));
  const judge = `node -e 'const {workdir} = JSON.parse(require("fs").readFileSync(0)); console.log(require("fs").readFileSync(workdir + "/steps.txt", "utf8") === "one\\ntwo\\n" ? 1 : 0)'`;
  await using launcher = startLauncher(
    [
      ...["run", `${name}.yaml`, "--agent", name, "--llm-model", "demo", "--job-id", name],
      ...["--db-path", gateway.db_url, "--gateway-base-url", gateway.url],
      ...["--evaluator-command", judge, "--workdirs", "kept"],
    ],
    { cwd: gateway.folder, env: { PATH: `${bin}${delimiter}${process.env.PATH}` } },
  );
  await launcher.exit(180_000);
  expect(launcher.stdout, launcher.stdout + launcher.stderr).toMatch(/finished +it {2}reward 1,/);
  const [session = ""] = await sessionsOf(gateway, name);
  const rows = await stepsOf(gateway, session);
  expect(rows.map(({ status_code }) => status_code)).toEqual(Array(steps).fill(200));
  expect(rows[0]?.messages?.toString()).toContain("Write the steps down.");
  const answer = await readFile(join(gateway.folder, "kept", session, "home/answer"), "utf8");
  expect(answer).toContain(lastWord);
}
