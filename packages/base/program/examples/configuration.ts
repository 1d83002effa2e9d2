import assert from "node:assert/strict";
import { ConfigError, ConfigReader, integer } from "@proj/program/configuration";

interface Settings {
  readonly listen_port: number;
  readonly api_key: string;
}

const reader = new ConfigReader<Settings>({
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["api_key"],
    properties: {
      listen_port: integer("Where it listens.", 8080, 0, 65_535),
      api_key: { type: "string", minLength: 1, description: "The key of its callers." },
    },
  },
  secrets: ["api_key"],
});

const env = { KEY: "hidden", NOTHING: "" };
const settings = reader.parse(`api_key: \${KEY}`, "server.yaml", env);
assert.deepEqual(settings, { listen_port: 8080, api_key: "hidden" });

const wrong = `listen_prot: 1\napi_key: \${NOTHING}\nlisten_port: 80000`;
assert.throws(
  () => reader.parse(wrong, "server.yaml", env),
  (error) => {
    assert.ok(error instanceof ConfigError);
    assert.equal(
      error.message,
      `server.yaml: 3 errors
  1:1 listen_prot: is not a known key; did you mean listen_port?
  2:1 api_key: needs the environment variable NOTHING, which is empty (\${NOTHING:-} allows that)
  3:1 listen_port: expected at most 65535, found 80000`,
    );
    return true;
  },
);
