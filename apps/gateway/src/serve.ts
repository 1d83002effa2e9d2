import { type Command, configOption, defineCommand, portOption, wholeNumber } from "@proj/program";

const defaultLogPath = "logs/gateway.log";

/** Serves until a signal ends it. */
export const serve: Command = defineCommand({
  name: "serve",
  summary: "serve; without --config, a built-in model named 'demo'",
  no: "rows could not be written and are lost",
  options: {
    config: configOption("YAML configuration"),
    port: portOption("listen on this port in place of the configuration's"),
    workers: wholeNumber("N", "gateways on this machine behind one address; needs PostgreSQL", {
      min: 1,
      max: 64,
    }),
  },
  variables: {
    SERVICE_GATEWAY_LOG_PATH: `the service log's file (default: ${defaultLogPath})`,
  },
  async run({ options }, context) {
    const { serveGateway } = await import("./serve-gateway.ts");
    const logPath = process.env.SERVICE_GATEWAY_LOG_PATH || defaultLogPath;
    return serveGateway({ ...options, logPath }, context);
  },
});
