import { fileURLToPath } from "node:url";
import {
  isLeftOutWithoutPython,
  pythonWith,
  startDemoUpstream,
  temporaryFolder,
} from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { main, startGateway } from "./launcher.ts";

// The Python client's own tests against this launcher and a gateway, its types, and its package.

const client = fileURLToPath(new URL("../../../clients/python", import.meta.url));
const python = await pythonWith(
  ["pytest==9.2.0", "numpy==2.4.6", "mypy==2.4.1", "hatchling==1.33.0"],
  { timeoutMs: 300_000 },
);

describe.skipIf(isLeftOutWithoutPython("the Python client", python))("the Python client", () => {
  test("starts, follows, scores and continues jobs", async () => {
    await using stack = new AsyncDisposableStack();
    const upstream = await startDemoUpstream();
    stack.defer(() => upstream.close());
    const extra_body = { return_token_ids: true, logprobs: true };
    const api_keys = [{ name: "trainer", key: "opens" }];
    await using gateway = await startGateway({
      llm_routes: { policy: { base_url: upstream.url, extra_body } },
      auth: { api_keys, session_secret: "sixteen letters!" },
    });
    const command = [process.execPath, "--conditions=@proj/source", main];
    const program = `
import sys, pytest
sys.path.insert(0, "${client}/src")
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", "${client}", "-c", "${client}/pyproject.toml", *sys.argv[1:], "${client}/tests"]))`;
    const options = ["--gateway", gateway.url, "--db", gateway.db_url];
    const printed = await python?.run(program, ...options, "--launcher", JSON.stringify(command));
    expect(printed).toMatch(/^\d+ passed/m);
  }, 300_000);

  test("is typed, and builds into a package that says so", async () => {
    await using folder = await temporaryFolder();
    const program = `
import glob, os, subprocess, sys, zipfile
out = sys.argv[1]
for command in (
    ["mypy", "--cache-dir", out + "/mypy", "--config-file", "pyproject.toml", "src"],
    ["hatchling", "build", "-d", out],
):
    done = subprocess.run([sys.executable, "-m", *command], cwd="${client}", capture_output=True, text=True)
    if done.returncode != 0: sys.exit(done.stdout + done.stderr)
(wheel,) = glob.glob(out + "/*.whl")
print(zipfile.ZipFile(wheel).namelist(), len(glob.glob(out + "/*.tar.gz")))`;
    const printed = await python?.run(program, folder.path);
    expect(printed).toContain("'gateway_client/py.typed'");
    expect(printed).toMatch(/ 1$/m);
    expect(printed).not.toContain("tests");
  }, 300_000);
});
