import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  bubblewrap,
  findUser,
  keptFolders,
  readRecipe,
  recipeRuntime,
} from "@proj/launcher-client";
import { isLeftOut, temporaryFolder } from "@proj/test-kit";
import { describe, expect, onTestFinished, test } from "vitest";

const isRoot = process.getuid?.() === 0;

async function site(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

/** What the launcher takes for the answer of a program that runs the script. */
async function answerOf(
  script: string,
  options: Parameters<typeof recipeRuntime>[1] = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<unknown> {
  const runtime = recipeRuntime(readRecipe({ name: "sly", command: script }), options);
  const session_id = "session-1";
  const request = {
    ...{ session_id, job_id: "j", simulation_id: "s", attempt: 1, env_name: null, group_id: null },
    ...{ llm_model: "demo", llm_api_key: null, gateway_base_url: "http://127.0.0.1:9" },
    ...{ llm_base_url: "http://127.0.0.1:9/v1/sessions/session-1", env_params: { prompt: "Go." } },
  };
  const folder = keptFolders(await site()).of(session_id);
  const { metrics } = await runtime.run(request, { folder, signal });
  return metrics.answer;
}

const inHome = 'cd "$HOME"; ';

describe("an agent's answer", () => {
  test("is the beginning of the file that it wrote", async () => {
    expect(await answerOf(`${inHome}echo " It is 42. " > answer`)).toBe("It is 42.");
    const long = await answerOf(`${inHome}head -c 100000000 /dev/zero | tr "\\\\0" x > answer`);
    expect(long).toBe("x".repeat(64 * 1024));
    expect(await answerOf(":")).toBeNull();
  });

  test.each([
    ["a pipe", "mkfifo answer"],
    ["a folder", "mkdir answer"],
    ["a link to a pipe", "mkfifo pipe; ln -s pipe answer"],
    ["a link to a device", "ln -s /dev/zero answer"],
    ["a link in a circle", "ln -s answer answer"],
    ["a link to its own file", "echo own > file; ln -s file answer"],
  ])("is none if it is %s", async (_, script) => {
    expect(await answerOf(inHome + script)).toBeNull();
  });

  test("is none if it is a link to a file that the agent may not read", async () => {
    const secret = join(await site(), "secret");
    await writeFile(secret, "of the operator", { mode: 0o600 });
    expect(await answerOf(`${inHome}ln -s ${secret} answer`)).toBeNull();
  });

  test.runIf(isRoot)(
    "is read with the rights of the agent's user, also through its folders",
    async () => {
      const secret = await site();
      await writeFile(join(secret, "answer"), "of the operator", { mode: 0o600 });
      const user = await findUser("nobody");
      // The launcher looks while a process that the agent left puts a link in the file's place.
      const swap = `while :; do ln -sf ${secret}/answer answer; rm -f answer; echo own > answer; done`;
      const script = `${inHome}env -i setsid sh -c '${swap}' >/dev/null 2>&1 & sleep 0.2`;
      onTestFinished(() => void spawnSync("pkill", ["-u", user.name, "-f", secret]));
      for (let round = 0; round < 5; round += 1)
        expect(await answerOf(script, { user })).not.toBe("of the operator");
    },
  );

  test("from a sandbox is none if it is a link out of it", async (context) => {
    const hasProgram = spawnSync("bwrap", ["--version"]).status === 0;
    if (isLeftOut("an answer from bubblewrap", hasProgram, "install bubblewrap"))
      return context.skip();
    const secret = join(await site(), "secret");
    await writeFile(secret, "of the operator", { mode: 0o600 });
    const sandbox = bubblewrap();
    expect(await answerOf(`${inHome}ln -s ${secret} answer`, { sandbox })).toBeNull();
    expect(await answerOf(`${inHome}echo own > answer`, { sandbox })).toBe("own");
  });
});
