import { preflight } from "@proj/launcher-client";
import {
  type Command,
  defineCommand,
  exitCode,
  optional,
  optionalOperand,
  withDefault,
} from "@proj/program";
import { gatewayOf } from "../run/parts.ts";
import { preflightFailure } from "../run/preflight-failure.ts";
import { readSimulations } from "../run/read-simulations.ts";
import { tokenOptions } from "../run/token-options.ts";
import { secretOf } from "../secrets/secret-file.ts";
import { LaterStorage, storageOf } from "../storage.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { readTasks } from "../tasks/read-tasks.ts";
import { taskNeeds } from "../tasks/task-needs.ts";
import { ignoreField } from "../tasks/task-options.ts";

/** Reports what `run` would find before it begins, without starting anything. */
export const check: Command = defineCommand({
  name: "check",
  summary: "tell whether a job could start: its simulations, the gateway, its route, its storage",
  operand: optionalOperand("SIMULATIONS", "a file of simulations, as for run", "files"),
  options: {
    "llm-model": optional("ROUTE", "a key of the gateway's llm_routes; only tasks need none"),
    tasks: optional("DIR", "only check these Harbor task folders", { completion: "files" }),
    "ignore-field": ignoreField,
    ...storageOptions(),
    "gateway-base-url": withDefault("URL", "the gateway", "http://127.0.0.1:8000"),
    "gateway-api-key": optional("KEY", "one of the gateway's auth.api_keys", {
      variable: "GATEWAY_API_KEY",
    }),
    "gateway-api-key-file": optional("FILE", "or a file that contains it", { completion: "files" }),
    ...tokenOptions,
  },
  variables: {
    SERVICE_GATEWAY_CONFIG:
      "the gateway's configuration file: --llm-model must be one of its routes too",
  },
  check({ options }, refuse) {
    if (options.tasks === null && options["llm-model"] === null)
      refuse("check needs --llm-model or --tasks");
  },
  async run({ operand, options }, { signal }) {
    if (options.tasks !== null) {
      const tasks = await readTasks(options.tasks, options["ignore-field"]);
      for (const task of tasks) console.log(taskNeeds(task));
      if (options["llm-model"] === null) return exitCode.done;
    }
    const db_url = dbPathOf(options);
    const { storage_type } = storageOf(db_url);
    const gateway = gatewayOf({
      gatewayBaseUrl: options["gateway-base-url"],
      gatewayApiKey: secretOf(options, "gateway-api-key"),
    });
    const storage = new LaterStorage(db_url);
    try {
      const simulations = operand === null ? null : await readSimulations(operand);
      const { missingForTraining } = await preflight({
        gateway,
        storage_type,
        db_url,
        readStorageId: async () => (await storage.open()).storage_id,
        llm_model: options["llm-model"] ?? "",
        serviceGatewayConfig: process.env.SERVICE_GATEWAY_CONFIG || null,
        requireTokens: options["require-tokens"],
        signal,
      });
      for (const missing of missingForTraining) console.error(`warning: ${missing}`);
      const count = simulations === null ? "" : ` ${simulations.length} simulations are valid.`;
      console.log(`The gateway is ready, has the route and the same storage.${count}`);
      return exitCode.done;
    } catch (error) {
      throw preflightFailure(error);
    } finally {
      gateway.end();
      await storage.close();
    }
  },
});
