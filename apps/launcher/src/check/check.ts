import { dirname } from "node:path";
import { preflight } from "@proj/launcher-client";
import { count } from "@proj/launcher-client/sheets";
import { type Command, defineCommand, exitCode, optionalOperand } from "@proj/program";
import { consoleUrl } from "../run/console-url.ts";
import { evaluatorOf } from "../run/evaluator-options.ts";
import { gatewayOf, runtimeOf } from "../run/parts.ts";
import { preflightFailure } from "../run/preflight-failure.ts";
import { requirePath } from "../run/require-path.ts";
import { namesAgent, runOptions, runVariables } from "../run/run-arguments.ts";
import { checkJob, jobOptions, planOf } from "../run/run-command.ts";
import { simulationsOf } from "../run/simulations-of.ts";
import { LaterStorage, storageOf } from "../storage.ts";
import { readTasks } from "../tasks/read-tasks.ts";
import { taskNeeds } from "../tasks/task-needs.ts";
import { checkTasks } from "../tasks/task-options.ts";

/** Reports what `run` would find before it begins. No simulation is added or started. */
export const check: Command = defineCommand({
  name: "check",
  summary: "tell whether a job could start: its simulations, the gateway, its route, its storage",
  about:
    "Tells whether a job could start. It takes the options of run: write check in place of run in a command line to check it. Without an agent, it checks the rest.",
  operand: optionalOperand("SIMULATIONS", "a file of simulations, as for run", "files"),
  options: {
    ...jobOptions,
    "llm-model": {
      ...runOptions["llm-model"],
      about: "a key of the gateway's llm_routes; only tasks need none",
      required: false,
    },
  },
  variables: runVariables,
  check(given, refuse) {
    const { options } = given;
    if (options.tasks === null && options["llm-model"] === "")
      refuse("check needs --llm-model or --tasks");
    if (namesAgent(options)) checkTasks(options, refuse);
    checkJob(given, refuse);
  },
  async run(given, { signal }) {
    const { options } = given;
    const say = options.json ? console.error : console.log;
    if (options.tasks !== null) {
      const tasks = await readTasks(options.tasks, options["ignore-field"]);
      for (const task of tasks) say(taskNeeds(task));
      if (options["llm-model"] === "") return exitCode.done;
    }
    const plan = planOf(given, process.env);
    const { db_path: db_url, serviceGatewayConfig } = plan;
    const { storage_type } = storageOf(db_url);
    evaluatorOf(options);
    if (options.summary !== null) requirePath("summary", dirname(options.summary));
    const gateway = gatewayOf(options, plan.gatewayApiKey);
    const storage = new LaterStorage(db_url);
    try {
      if (namesAgent(options) && options.tasks === null) await runtimeOf(plan, gateway, signal);
      const namesNothing = plan.work === null && options["job-id"] === null;
      const find = namesNothing || options.tasks !== null ? null : await simulationsOf(plan);
      const { missingForTraining, readiness } = await preflight({
        gateway,
        storage_type,
        db_url,
        readStorageId: async () => (await storage.open()).storage_id,
        llm_model: options["llm-model"],
        serviceGatewayConfig,
        requireTokens: options["require-tokens"],
        signal,
      });
      for (const missing of missingForTraining) console.error(`warning: ${missing}`);
      const found = await find?.(await storage.open(), options["job-id"] ?? "");
      const valid =
        found === undefined || plan.work === null
          ? ""
          : ` Valid: ${count(found.length, "simulation")}.`;
      say(`The gateway is ready, has the route, and uses the same storage.${valid}`);
      if (readiness.console_path !== null)
        say(`console: ${consoleUrl(gateway.baseUrl, readiness.console_path)}`);
      return exitCode.done;
    } catch (error) {
      throw preflightFailure(error);
    } finally {
      gateway.end();
      await storage.close();
    }
  },
});
