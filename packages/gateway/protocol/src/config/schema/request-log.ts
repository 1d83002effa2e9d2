import { flag, integer, type JsonSchema, section } from "@proj/program/configuration";

export const requestLogSchema: JsonSchema = section("The log of requests, one JSON line each.", {
  enabled: flag("Whether the log is written.", true),
  path: {
    description: "The log's file, relative to the working directory.",
    type: "string",
    minLength: 1,
    default: "logs/gateway_requests.jsonl",
  },
  max_bytes: integer("Bytes after which the file is rotated.", 104_857_600, 1),
  backup_count: integer("Rotated files to keep (.1 is the newest).", 5, 0),
  body_limit_bytes: integer("Maximum bytes of each body in the log; 0: whole bodies.", 16_384, 0),
});
