import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scope } from "./packages.mjs";
import { run, startServer, withNode } from "./run.mjs";

/**
 * What is proved about a package beyond running its example: the example's `sources`, what else it `installs`,
 * and `prove`, which runs the consumers on one Node.
 */
export const proofs = {
  "session-store": {
    sources: [
      "packages/gateway/store/examples/quickstart.ts",
      "packages/gateway/store/examples/jobs.ts",
    ],
    async prove({ program }) {
      await program("session-store", "quickstart");
      await program("session-store", "jobs");
    },
  },
  "trading-client": {
    async prove({ program, serving }) {
      await serving("paper-trading", brokerReady, ([, url, token]) =>
        program("trading-client", "quickstart", { args: [url, token] }),
      );
    },
  },
  "paper-trading": {
    async prove({ program, serving }) {
      await serving("paper-trading", brokerReady, async ([, url, token]) => {
        await program("paper-trading", "quickstart", {
          env: { PAPER_TRADING_URL: url, PAPER_TRADING_TOKEN: token },
        });
        await loadPage(url);
      });
    },
  },
  "launcher-client": {
    // Gateway and launcher must name their database identically, so they work in one folder.
    async prove({ program, serving, folderOf }) {
      const cwd = folderOf("gateway");
      await serving("gateway", gatewayReady, ([, GATEWAY_URL]) =>
        program("launcher-client", "quickstart", { cwd, env: { GATEWAY_URL } }),
      );
    },
  },
  gateway: {
    async prove({ program, serving }) {
      await serving("gateway", gatewayReady, ([, GATEWAY_URL]) =>
        program("gateway", "quickstart", { env: { GATEWAY_URL } }),
      );
    },
  },
  launcher: {
    sources: ["agent.ts", "evaluator.ts", "simulations.yaml"].map(
      (file) => `apps/launcher/examples/demo/${file}`,
    ),
    async prove({ launcher, serving, folderOf }) {
      const at = (file) => join(folderOf("launcher"), file);
      const job = ["--job-id", `verify-${process.hrtime.bigint()}`];
      const runtime = ["--runtime-command", `node "${at("out/agent.js")}"`];
      const evaluator = ["--evaluator-command", `node "${at("out/evaluator.js")}"`];
      const model = ["--llm-model", "demo"];
      await serving("gateway", gatewayReady, ([, url]) => {
        const gateway = ["--gateway-base-url", url];
        return launcher([
          "run",
          at("simulations.yaml"),
          ...model,
          ...job,
          ...runtime,
          ...evaluator,
          ...gateway,
        ]);
      });
      const status = JSON.parse(await launcher(["status", ...job, "--json"]));
      assert.deepEqual([status.finished, status.mean_reward], [5, 0.8]);
    },
  },
  points: {
    sources: [],
    async prove({ serving }) {
      await serving("points", pointsReady, async ([, url]) => {
        const answer = await fetch(`${url}/api/demo/total/null?size=3`);
        const { leaderboard } = await answer.json();
        assert.equal(leaderboard.length, 3);
        await loadPage(url);
      });
    },
  },
  arena: {
    sources: [],
    async prove({ npx }) {
      const told = await npx("arena", ["--traders", "2", "--rounds", "1", "--json"], 0);
      assert.equal(JSON.parse(told).standings.length, 2);
    },
  },
  deprecations: {
    installs: [`${scope}/deprecation-feed`],
    async prove({ npx, program }) {
      await program("deprecations", "quickstart");
      const check = (model, code) =>
        npx("deprecations", ["check", model, "--feed", "feed/v1/feed.json"], code);
      assert.match(await check("small-1", 1), /small-2/);
      assert.match(await check("large-1", 0), /1 unknown/);
    },
  },
};

/** What each server prints when it is ready: its address, then anything else that is needed. */
const gatewayReady = /^gateway +(\S+)$/m;
const brokerReady = /^address +(\S+)$.*^token +(\S+)$/ms;
const pointsReady = /^serving \S+ at (\S+)\/ from.*in the rankings/ms;

/** Fetches a page and everything that it refers to. */
async function loadPage(url) {
  const page = await fetch(`${url}/`);
  assert.equal(page.status, 200, `${url}/`);
  const names = [...(await page.text()).matchAll(/(?:src|href)="([^"#:]+)"/g)].map(
    ([, name]) => name,
  );
  for (const name of names) {
    const part = await fetch(new URL(name, `${url}/`));
    assert.equal(part.status, 200, name);
  }
}

/** Runs one package on one Node. `parent` is the folder of all consumers. */
export async function prove(shortName, node, parent) {
  const folderOf = (name) => join(parent, name);
  const environment = (more) => withNode(node.folder, { NODE_OPTIONS: "", ...more });
  const program = (name, script, { args = [], cwd = folderOf(name), env = {} } = {}) =>
    run("node", [join(folderOf(name), "out", `${script}.js`), ...args], {
      cwd,
      env: environment(env),
    });
  const npx = (name, args, code = 0) =>
    run("npx", [`${scope}/${name}`, ...args], { cwd: folderOf(name), env: environment({}), code });
  const launcher = (args) => {
    const bin = join(folderOf("launcher"), "node_modules/.bin/launcher");
    return run(bin, args, { cwd: folderOf("gateway"), env: environment({}) });
  };
  const serving = async (name, ready, work) => {
    const options = { cwd: folderOf(name), env: environment({}) };
    const { match, stop } = await startServer(
      "npx",
      [`${scope}/${name}`, "--port", "0"],
      ready,
      options,
    );
    await work(match).finally(stop);
  };
  const own = proofs[shortName]?.prove;
  try {
    if (own !== undefined) return await own({ program, npx, launcher, serving, folderOf });
    if (existsSync(join(folderOf(shortName), "quickstart.ts")))
      await program(shortName, "quickstart");
  } catch (error) {
    throw new Error(`${scope}/${shortName} on Node ${node.version}: ${error.message}`, {
      cause: error,
    });
  }
}

/** Checks that on a Node that is too old, a program says only that. */
export async function proveTooOld({ name, shortName, manifest }, node, parent) {
  for (const file of Object.values(manifest.bin)) {
    const bin = join(parent, shortName, "node_modules", name, file);
    const said = await run("node", [bin, "--version"], { env: withNode(node.folder), code: 3 });
    const least = manifest.engines.node.replace(">=", "");
    assert.match(said, new RegExp(`^${name} needs Node ${least} or newer. This is Node 20`));
  }
}
