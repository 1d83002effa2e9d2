import { expect, test } from "vitest";
import { parseConfig } from "../../src/index.ts";
import { complaintsOf, configErrorOf, issuesOf, routes } from "./config-text.ts";

const parse = (text: string) => (): unknown => parseConfig(text, "gateway.yaml", {});

test("an error in the YAML says where it is", () => {
  const error = configErrorOf(parse("listen_port: 1\nlisten_host: 'a' b\n"));
  expect(error.message).toMatch(/^gateway\.yaml: 1 error\n {2}2:18 \S/);
  expect(error.source).toBe("gateway.yaml");
});

test("a duplicate key is an error at its second place, and hides no other error", () => {
  const text = "telemetry:\n  mode: strict\n  mode: best_effort\nlisten_prot: 1\n";
  expect(issuesOf(parse(`${text}${routes}`))).toEqual([
    { path: "", message: "the key mode appears twice", line: 3, column: 3 },
    {
      path: "listen_prot",
      message: "is not a known key; did you mean listen_port?",
      line: 4,
      column: 1,
    },
  ]);
});

test("an alias needs an anchor", () => {
  expect(issuesOf(parse("listen_port: 1\nlisten_host: *nowhere\n"))).toMatchObject([
    { message: expect.stringContaining("alias"), line: 2, column: 14 },
  ]);
});

test("aliases cannot make a small file a huge one", () => {
  const ten = (item: string): string => `[${Array(10).fill(item).join(",")}]`;
  const text = `a: &a ${ten("x")}\nb: &b ${ten("*a")}\nc: &c ${ten("*b")}\nd: ${ten("*c")}\n`;
  expect(complaintsOf(parse(text))).toEqual([": its aliases expand to too many values"]);
});

test("a deeply nested file is an error, not a crash", () => {
  const text = `a: ${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  expect(complaintsOf(parse(text))).toEqual([": is nested too deeply"]);
});

test.each([
  ["a: 1\n---\nb: 2", "more than one YAML document"],
  ["a: !!binary aGVsbG8=", "Unresolved tag"],
  ["a: !env X", "Unresolved tag"],
  ["? [a, b]\n: 1", "keys must be strings"],
])("%j is more YAML than a configuration needs", (text, reason) => {
  expect(complaintsOf(parse(text)).join("\n")).toContain(reason);
});

test("an empty file lacks its routes", () => {
  expect(complaintsOf(parse("# nothing yet\n"))).toEqual([
    ": is empty; llm_routes, at least, is required",
  ]);
});

test.each([["- a\n- b"], ["just text"]])("%j is not a map of keys", (text) => {
  expect(complaintsOf(parse(text))).toHaveLength(1);
});

test.each([
  ["llm_routes: {a: {api_key: }sk-s3cret}}"],
  ["api_key: 'x' sk-s3cret"],
  ["- a\nsk-s3cret: 1"],
  ["api_key: *sk-s3cret"],
])("a syntax error in %j does not quote the text, which may be a credential", (text) => {
  expect(configErrorOf(parse(text)).message).not.toContain("s3cret");
});
