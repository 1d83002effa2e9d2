import {
  choice,
  integer,
  type JsonSchema,
  positiveSeconds,
  section,
} from "@proj/program/configuration";

export const storageTypeSchema: JsonSchema = {
  ...choice(
    "Where sessions and steps are stored: a SQLite file, or PostgreSQL (cloud).",
    "sqlite",
    ["sqlite", "cloud"],
  ),
  meant: { postgres: "cloud", postgresql: "cloud", pg: "cloud" },
};

export const storageSchema: JsonSchema = section("How the storage is reached.", {
  db_url: {
    description:
      "sqlite://<file> (relative to the working directory) or sqlite:///<absolute file>; for cloud postgres://… or postgresql://….",
    type: "string",
    minLength: 1,
    default: "sqlite://data/gateway.db",
  },
  synchronous: choice(
    "SQLite only. A strict row survives a loss of power (full) or only a killed process (normal, faster).",
    "full",
    ["full", "normal"],
  ),
  pool_size: integer(
    "PostgreSQL only. Largest number of connections of this gateway.",
    10,
    2,
    1000,
  ),
  connect_timeout_s: positiveSeconds("PostgreSQL only. How long to wait for a connection.", 5),
  statement_timeout_s: positiveSeconds(
    "PostgreSQL only. How long the server may work on one statement.",
    30,
  ),
  large_value_bytes: integer(
    "Strings of payloads from this size on, such as images, are stored once for each job; in bytes.",
    32_768,
    1024,
  ),
  min_free_bytes: integer(
    "SQLite only. With less free space on the file's disk /readyz warns, still with 200; 0: never.",
    1_073_741_824,
    0,
  ),
});

export const retentionSchema: JsonSchema = section(
  "Old sessions that are deleted every day. One that may still run, or whose record another session begins from, stays.",
  {
    older_than_days: {
      description: "Days after a session's last call at which it is deleted; null: never.",
      type: ["number", "null"],
      minimum: 1,
      default: null,
    },
    keep: choice(
      "What stays: attempts with their rewards and scores (rewards), or also rows without their payloads (rows).",
      "rewards",
      ["rewards", "rows"],
    ),
  },
);
