import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort, type RunningProcess, startProcess, temporaryFolder } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { readPrograms } from "./programs.ts";

const programs = await readPrograms();
const binOf = (name: string): string =>
  programs.find(({ program }) => program.name === name)?.bin ?? "";

/** The URL of the tests' server, with some parts changed. */
function urlWith(changes: Partial<Pick<URL, "port" | "password" | "pathname">>): string {
  const url = new URL(process.env.TEST_DATABASE_URL ?? "");
  return Object.assign(url, changes).href;
}

interface Call {
  readonly name: string;
  /** @param file writes a configuration with this content, for the command line to name */
  args(db_url: string, file: (content: unknown) => Promise<string>): Promise<string[]>;
}

const pointsProgram = {
  ...{ network: "main", refreshTime: 60, pointsDecimal: 6, pointsPerUsd: "1", swapMultiplier: "1" },
  ...{ swapPairs: [{ tokenX: "X", tokenY: "Y" }], promotedPools: [] },
  quest: { threshold: "5", questProvider: "Q", questProviderUrl: "https://q.example/" },
};

/** A command of every program that can store its data in PostgreSQL. */
const calls: readonly Call[] = [
  {
    name: "gateway",
    async args(db_url, file) {
      const llm_routes = { small: { base_url: "http://127.0.0.1:9/v1" } };
      const storage = { storage_type: "cloud", storage_config: { db_url } };
      return ["--config", await file({ ...storage, llm_routes }), "--port", "0"];
    },
  },
  { name: "launcher", args: async (db_url) => ["status", "--db-path", db_url] },
  {
    name: "points",
    async args(db_url, file) {
      return ["snapshot", "--config", await file({ db_url, program: pointsProgram })];
    },
  },
];

async function run(
  { name, args }: Call,
  db_url: string,
  look: (program: RunningProcess) => Promise<void>,
): Promise<void> {
  await using folder = await temporaryFolder();
  const file = async (content: unknown): Promise<string> => {
    const path = join(folder.path, "configuration.yaml");
    // Every JSON text is YAML.
    await writeFile(path, JSON.stringify(content));
    return path;
  };
  const command = [binOf(name), ...(await args(db_url, file))];
  await using program = startProcess(command, { cwd: folder.path });
  await look(program);
  expect(program.output).not.toContain("secret-word");
}

describe.each(calls)("$name", (call) => {
  test.each([
    [
      "the password is wrong",
      { password: "secret-word" },
      "refuses this user: check user, password",
    ],
    ["there is no such database", { pathname: "/nowhere" }, "does not exist: create it, or check"],
  ])("%s: what to do, and exit code 3", async (_, changes, advice) => {
    await run(call, urlWith(changes), async (program) => {
      expect((await program.exit()).code).toBe(3);
      expect(program.stderr).toContain(`${call.name}: The database ${advice}`);
    });
  });

  test("nothing listens: what to do; a server waits for the database, and others end with 3", async () => {
    const port = String(await freePort());
    await run(call, urlWith({ port, password: "secret-word" }), async (program) => {
      const start = call.name === "gateway" ? "Waiting for the database." : `${call.name}:`;
      const line = await program.line(/The database /);
      expect(line).toContain(`${start} The database refuses connections: is the server running`);
      if (call.name === "gateway") program.kill();
      expect((await program.exit()).code).toBe(call.name === "gateway" ? 0 : 3);
    });
  });
});
