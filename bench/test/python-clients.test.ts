import { isLeftOut } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ClientRunner } from "../src/clients/client-runner.ts";
import { clients } from "../src/clients/clients.ts";
import { installClients } from "../src/clients/install-clients.ts";

// Unmodified Python SDKs and frameworks join sessions by their base URL.

// Downloading them takes longer than all the tests.
const fetches = Boolean(process.env.REQUIRE_ALL_SUITES);
const [python, litellm] = await Promise.all([
  installClients("python", fetches),
  installClients("python-litellm", fetches),
]);
const leftOut = isLeftOut(
  "Python's clients",
  python !== null && litellm !== null,
  "npm run pnpm -- --filter bench clients:install, with python3's venv and PyPI",
);
let runner: ClientRunner;

beforeAll(async () => {
  runner = await ClientRunner.start();
});

afterAll(() => runner[Symbol.asyncDispose]());

test.skipIf(leftOut).concurrent.each(clients.filter(({ kit }) => kit !== "javascript"))(
  "$title",
  { timeout: 180_000 },
  async (client) => {
    const installed = client.kit === "python" ? python : litellm;
    if (installed === null) throw new Error("It is not installed.");
    const complaints = await runner.run(client, installed);
    expect([...complaints]).toEqual(client.scenarios.map((scenario) => [scenario, null]));
  },
);
