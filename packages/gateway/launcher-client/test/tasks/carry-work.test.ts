import { chmod, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test, vi } from "vitest";
import { carryWork } from "../../src/tasks/container/carry-work.ts";

/** Carries the work of a container whose engine is a script: it has changed `/app`, and `read` writes its archive. */
async function carry(read: string): Promise<string | null> {
  await using folder = await temporaryFolder();
  const taken = join(folder.path, "taken");
  const engine = join(folder.path, "podman");
  await writeFile(
    engine,
    `#!/bin/sh
case "$1 $2 $3" in
"diff "*) echo "C /app" ;;
"cp agent:/app -") ${read} ;;
"cp agent:"*) echo "Error: could not be found" >&2; exit 125 ;;
"cp - verifier:/") cat > '${taken}' ;;
esac
`,
  );
  await chmod(engine, 0o755);
  vi.stubEnv("PATH", `${folder.path}${delimiter}${process.env.PATH}`);
  try {
    const image = { id: "image", env: [], workdir: "/app" };
    const verifier = { name: "verifier", exec: () => Promise.reject(new Error("nothing to run")) };
    const { signal } = new AbortController();
    await carryWork("podman", image, { name: "agent" }, verifier, signal);
    return await readFile(taken, "utf8").catch(() => null);
  } finally {
    vi.unstubAllEnvs();
  }
}

test("work that arrives after the engine's end is carried", async () => {
  expect(await carry("(sleep 0.2; echo work) &")).toBe("work\n");
});

test("work that the engine cannot read is an error, and not an empty folder", async () => {
  await expect(carry("echo 'Error: the storage is locked' >&2; exit 125")).rejects.toThrow(
    "/app could not be copied: Error: the storage is locked",
  );
});

test("work that breaks off is an error", async () => {
  await expect(carry("echo half; echo 'Error: input/output' >&2; exit 125")).rejects.toThrow(
    "/app could not be copied: Error: input/output",
  );
});
