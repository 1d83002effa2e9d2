import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { XMLParser } from "fast-xml-parser";
import { expect, test } from "vitest";
import { parse } from "yaml";
import {
  agentCommand,
  type Gateway,
  launch,
  launcherEnvironment,
  main,
  startGateway,
} from "./launcher.ts";

const launchIn = ({ folder }: Gateway, args: readonly string[]) => launch(args, { cwd: folder });

test("a job passes by its mean reward, with the same numbers in run and report", async () => {
  await using gateway = await startGateway();
  const where = ["--db-path", gateway.db_url];
  const simulations = [
    { group_id: "easy | <b>", repeat: 3, env_params: { steps: 2 } },
    { group_id: "hard", repeat: 3, env_params: { steps: 1 } },
  ];
  await gateway.write("s.yaml", JSON.stringify(simulations));
  const xml = join(gateway.folder, "report.xml");
  const gates = ["--min-reward", "1.6", "--summary", xml];
  const ran = await launchIn(gateway, gateway.run("s.yaml", "--job-id", "even", ...gates));
  const mean = /6 rollouts of 2 tasks: mean 1.5, between \S+ and \S+\.\n/;
  const refusal = "Does not pass: the mean 1.5 is below 1.6.\n";
  expect(ran.stdout).toContain(`${mean.exec(ran.stdout)?.[0]}${refusal}`);
  expect(ran.code).toBe(1);

  const [suite] = [
    new XMLParser({ ignoreAttributes: false, htmlEntities: true }).parse(
      await readFile(xml, "utf8"),
    ),
  ];
  const { testsuite } = suite.testsuites;
  expect(testsuite).toMatchObject({ "@_name": "even", "@_tests": "3", "@_failures": "1" });
  expect(testsuite.testcase).toMatchObject([
    { "@_name": "mean of at least 1.6", failure: { "@_message": refusal.trim() } },
    { "@_name": "easy | <b>" },
    { "@_name": "hard" },
  ]);

  const markdown = join(gateway.folder, "report.md");
  const asked = ["report", "even", ...where, "--min-reward"];
  const passed = await launch([...asked, "1.5", "--summary", markdown]);
  expect(passed).toMatchObject({ code: 0, stdout: expect.stringMatching(mean) });
  expect(passed.stdout).toContain("Passes: the mean is at least 1.5.");
  const page = await readFile(markdown, "utf8");
  expect(page).toContain("Passes: the mean is at least 1.5.");
  // Worst first; names are text.
  expect(page.indexOf("| hard | 3 | 1 |")).toBeGreaterThan(0);
  expect(page.indexOf(String.raw`| easy \| \<b\> | 3 | 2 |`)).toBeGreaterThan(
    page.indexOf("| hard |"),
  );
  const json = await launch([...asked, "1.6", "--json"]);
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)[0].gate.failures).toEqual(["the mean 1.5 is below 1.6"]);
});

test("the documents' workflow runs, and its two commands write two summaries", async () => {
  await using gateway = await startGateway();
  const url = new URL("../../../docs/ci.md", import.meta.url);
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(await readFile(url, "utf8")) ?? [];
  const { steps } = parse(yaml).jobs.evaluate;
  const lines: string[] = steps
    .map(({ run = "" }) => run)
    .filter((run: string) => run.startsWith("npx launcher"));
  expect(lines).toHaveLength(2);
  await gateway.write("simulations.yaml", JSON.stringify([{ repeat: 2 }]));
  await gateway.write("summary.md", "before\n");
  const env = { JOB: "ci", GITHUB_STEP_SUMMARY: join(gateway.folder, "summary.md") };
  for (const line of lines) {
    const command = line
      .replace("npx launcher", `"${process.execPath}" --conditions=@proj/source "${main}"`)
      .replace("'python3 agent.py'", `'${agentCommand}'`)
      .replace("--llm-model policy", `--llm-model demo --gateway-base-url ${gateway.url}`);
    await promisify(execFile)("sh", ["-c", `${command} --db-path '${gateway.db_url}'`], {
      cwd: gateway.folder,
      env: { ...process.env, ...launcherEnvironment, ...env },
      timeout: 60_000,
    });
  }
  expect(await readFile(join(gateway.folder, "summary.md"), "utf8")).toMatch(
    /^before\n## job ci\n\n2 rollouts of 1 task: mean 1/,
  );
  expect(await readFile(join(gateway.folder, "report.xml"), "utf8")).toContain('failures="0"');
});

test("rollouts that failed fail the job unless they count as a score", async () => {
  await using gateway = await startGateway();
  await gateway.write("s.yaml", JSON.stringify([{ repeat: 3 }, { env_params: { fail: 9 } }]));
  const ran = await launchIn(
    gateway,
    gateway.run("s.yaml", "--job-id", "some", "--min-reward", "0.5"),
  );
  expect(ran.stdout).toContain(
    "1 rollout failed, not counted in the mean.\nDoes not pass: 1 rollout failed.\n",
  );
  expect(ran.code).toBe(1);
  const ask = async (...more: string[]) =>
    (await launch(["report", "some", "--db-path", gateway.db_url, ...more])).code;
  const counted = ["--failed-as", "0", "--min-reward"];
  expect(await ask("--min-reward", "0.5")).toBe(1);
  expect(await ask(...counted, "0.75")).toBe(0);
  expect(await ask(...counted, "0.76")).toBe(1);
});

test("a job that only the infrastructure failed does not pass, and a summary needs its folder", async () => {
  await using gateway = await startGateway();
  await gateway.write("s.yaml", JSON.stringify([{ repeat: 2 }]));
  const broken = ["--evaluator-command", "exit 3", "--infrastructure-attempts", "1"];
  const gate = ["--min-reward", "0", "--evaluation-attempts", "1"];
  const ran = await launchIn(gateway, gateway.run("s.yaml", ...broken, ...gate));
  expect(ran.stdout).toContain("2 rollouts lost to infrastructure failures, not counted.");
  expect(ran.stdout).toContain("Does not pass: no rollout has a score.\n");
  expect(ran.code).toBe(1);
  const nowhere = await launchIn(
    gateway,
    gateway.run("s.yaml", "--summary", "/no/such/folder/a.md"),
  );
  expect(nowhere).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--summary: there is"),
  });
});
