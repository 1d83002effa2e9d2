import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRouteKeys, readRouteModels } from "../../src/index.ts";
import { complaintsOf } from "./config-text.ts";

let path = "";
beforeAll(() => {
  path = join(mkdtempSync(join(tmpdir(), "gateway-protocol-")), "gateway.yaml");
});
afterAll(() => rmSync(join(path, ".."), { recursive: true }));

function keysOf(text: string): string[] {
  writeFileSync(path, text);
  return readRouteKeys(path);
}

test("route keys are read without the variables that the file needs", () => {
  const text = `listen_port: \${PORT_THAT_IS_NOT_SET}
llm_routes:
  small: {base_url: http://h/v1, api_key: "\${KEY_THAT_IS_NOT_SET}"}
  "gpt-4.1": {}
  __proto__: {}
`;
  expect(keysOf(text)).toEqual(["small", "gpt-4.1", "__proto__"]);
});

test("only references in an upstream model are resolved", () => {
  const text = `llm_routes:
  small: {api_key: "\${KEY_THAT_IS_NOT_SET}", upstream_model: "maker/\${SIZE}-1"}
  large: {upstream_model: "\${MODEL_THAT_IS_NOT_SET}"}
  other: {upstream_model: "\${MODEL_THAT_IS_NOT_SET:-small}"}
  odd: {upstream_model: 3}
`;
  writeFileSync(path, text);
  expect(readRouteModels(path, { SIZE: "s" })).toEqual({
    models: ["small", "maker/s-1", "large", "other", "odd"],
    unread: ["large"],
  });
});

test.each([["listen_port: 1"], ["llm_routes: [a]"], [`llm_routes: \${ROUTES}`], ["- a"], [""]])(
  "%j has no route keys",
  (text) => {
    expect(complaintsOf(() => keysOf(text))).toEqual([
      "llm_routes: expected a map from route keys to routes, written out in the file",
    ]);
  },
);

test("a file that is not YAML says where", () => {
  expect(complaintsOf(() => keysOf("llm_routes: {a: 1, a: 2}"))).toEqual([
    ": the key a appears twice",
  ]);
});
