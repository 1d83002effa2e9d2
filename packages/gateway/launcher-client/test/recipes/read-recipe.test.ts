import { expect, test } from "vitest";
import { callOf, readRecipe } from "../../src/index.ts";
import { startRequest } from "../start-request.ts";

const paths = { home: "/h", work: "/w", tmp: "/t" };
const odd = { ...startRequest, llm_model: 'a "quoted"\n\\ name', llm_api_key: "sk-1" };

test("values are escaped in files and plain in variables", () => {
  const recipe = readRecipe({
    name: "it",
    files: { "a.toml": 'model = "{{llm_model}}"', "b.json": { "{{ llm_model }}": ["{{work}}"] } },
    env: { MODEL: "openai/{{llm_model}}", KEY: "{{llm_api_key}}" },
    command: "run",
  });
  const { files, env, command } = callOf(recipe, odd, paths);
  expect(files["a.toml"]).toBe(`model = ${JSON.stringify(odd.llm_model)}`);
  expect(JSON.parse(files["b.json"] ?? "")).toEqual({ [odd.llm_model]: ["/w"] });
  expect(env).toEqual({ MODEL: `openai/${odd.llm_model}`, KEY: "sk-1" });
  expect(command).toBe("run");
});

test.each([
  [null, /^the recipe: /],
  [{ name: "it" }, /^command: /],
  [{ name: "it", command: "x", comand: "y" }, /comand/],
  [{ name: "a b", command: "x" }, /^name: must be 1 to 64/],
  [{ name: "it", command: "x {{llm_model}}" }, /^command: has no placeholders/],
  [
    { name: "it", command: "x", env: { A: "{{llm_modell}}" } },
    /^env\.A: .*did you mean llm_model\?/,
  ],
  [{ name: "it", command: "x", env: { "A B": "" } }, /is not the name of a variable/],
  [{ name: "it", command: "x", files: { "../a": "" } }, /must be a path in the agent's home/],
  [{ name: "it", command: "x", files: { "/a": "" } }, /must be a path in the agent's home/],
  [
    { name: "it", command: "x", files: { a: ["{{llm_api_key}}"] } },
    /^files\.a: .* not hold the key/,
  ],
  [
    { name: "it", command: "x", files: { a: { b: "{{hom}}" } } },
    /^files\.a: .*did you mean home\?/,
  ],
  [{ name: "it", command: "x", answer_file: "../answer" }, /^answer_file: /],
  [{ name: "it", command: "x", exit_codes: [] }, /^exit_codes: /],
  [{ name: "it", command: "x", exit_codes: [256] }, /^exit_codes\.0: /],
])("%j is refused by name", (value, message) => {
  expect(() => readRecipe(value)).toThrow(message);
});
