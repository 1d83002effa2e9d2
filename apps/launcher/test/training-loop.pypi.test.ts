import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isLeftOutWithoutVllm, temporaryFolder, vllmHome } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { main, startGateway } from "./launcher.ts";

// The example of docs/training.md as that page starts it, with the torch of vLLM's environment.

const root = new URL("../../../", import.meta.url);
const example = fileURLToPath(new URL("examples/training-loop", root));
const python = `${vllmHome}/bin/python`;
const env = {
  ...process.env,
  PYTHONPATH: fileURLToPath(new URL("clients/python/src", root)),
  PYTHONDONTWRITEBYTECODE: "1",
};

interface Iteration {
  readonly mean_reward: number;
  readonly largest_difference: number;
  readonly versions: readonly string[];
}

/** The model server, on a port of its own choice. */
async function serve(folder: string, seed: string) {
  const args = [`${example}/server.py`, folder, "--port", "0", "--seed", seed];
  const server = spawn(python, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const [printed] = await once(server.stdout, "data", { signal: AbortSignal.timeout(150_000) });
  const [url = ""] = /http:\S+/.exec(String(printed)) ?? [];
  return { url, [Symbol.dispose]: () => server.kill("SIGKILL") };
}

async function train(folder: string, seed: string): Promise<Iteration[]> {
  using server = await serve(folder, seed);
  const { llm_routes } = parse(await readFile(`${example}/gateway.yaml`, "utf8"));
  const policy = { ...llm_routes.policy, base_url: server.url, tokenizer: folder };
  await using gateway = await startGateway({ llm_routes: { policy } });
  const launcher = `"${process.execPath}" --conditions=@proj/source "${main}"`;
  const where = ["--engine", server.url, "--gateway", gateway.url, "--db", gateway.db_url];
  const args = [`${example}/train.py`, folder, ...where, "--launcher", launcher, "--seed", seed];
  const { stdout } = await promisify(execFile)(python, args, { env, timeout: 150_000 });
  const lines = stdout.trim().split("\n");
  return lines.map((line): Iteration => JSON.parse(line));
}

describe.skipIf(isLeftOutWithoutVllm("the training loop"))("the training loop", () => {
  test.concurrent.each(["0", "1"])(
    "raises the mean reward, from seed %s",
    async (seed) => {
      await using folder = await temporaryFolder();
      const iterations = await train(folder.path, seed);
      const rewards = iterations.map(({ mean_reward }) => mean_reward);
      expect(rewards).toHaveLength(6);
      expect(rewards.at(-1)).toBeGreaterThan(rewards[0] ?? 1);
      // Each iteration was played by the weights that it began with, token for token as the trainer computes them.
      for (const [at, { largest_difference, versions }] of iterations.entries()) {
        expect(versions).toEqual([`step-${at}`]);
        expect(largest_difference).toBeLessThan(1e-3);
      }
    },
    400_000,
  );
});
