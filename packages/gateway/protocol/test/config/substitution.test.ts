import { substitute } from "@proj/program/configuration";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf, configErrorOf, parseRoute, parseWithRoutes } from "./config-text.ts";

const names = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
const values = fc.string({ maxLength: 8 });
/** Text in which nothing begins that substitution looks for, next to whatever part. */
const literals = values.map((text) => text.replaceAll(/[${]/g, "-"));
const defaults = literals.map((text) => text.replaceAll("}", "-"));

interface Part {
  readonly written: string;
  readonly meant: string;
  readonly env: Readonly<Record<string, string>>;
}

const parts: fc.Arbitrary<Part> = fc.oneof(
  literals.map((text) => ({ written: text, meant: text, env: {} })),
  fc.constant({ written: "$${", meant: "${", env: {} }),
  fc.constant({ written: "$5", meant: "$5", env: {} }),
  fc
    .tuple(names, defaults)
    .map(([name, text]) => ({ written: `\${unset_${name}:-${text}}`, meant: text, env: {} })),
);

const references: fc.Arbitrary<Part> = fc.tuple(names, values).map(([name, value]) => ({
  written: `\${${name}}`,
  meant: value,
  env: { [name]: value },
}));

test("replaces every reference once, and leaves everything else unchanged", () => {
  fc.assert(
    fc.property(fc.array(parts), references, fc.array(parts), (before, reference, after) => {
      const all = [...before, reference, ...after];
      const { text, problems } = substitute(
        all.map((part) => part.written).join(""),
        reference.env,
      );
      expect(problems).toEqual([]);
      expect(text).toBe(all.map((part) => part.meant).join(""));
    }),
    { seed: 1 },
  );
});

describe("in a file", () => {
  test("a value that is one reference is read again as YAML, wherever it comes from", () => {
    const env = { PORT: "9000", CORS: "[https://a, 'https://b']", STREAM: "false" };
    const config = parseWithRoutes(
      `listen_port: \${PORT}\nmax_steps: "\${STEPS:-12}"\ncors: {allowed_origins: "\${CORS}"}`,
      env,
    );
    expect(config.listen_port).toBe(9000);
    expect(config.max_steps).toBe(12);
    expect(config.cors.allowed_origins).toEqual(["https://a", "https://b"]);
    const { llm_routes } = parseRoute(
      `base_url: http://h/v1\nsupports_stream: \${STREAM}\nextra_body: {n: '\${N:-2}', s: 'x\${N:-2}'}`,
      env,
    );
    expect(llm_routes.small).toMatchObject({
      supports_stream: false,
      extra_body: { n: 2, s: "x2" },
    });
  });

  test("part of a value stays text", () => {
    const { storage_config } = parseWithRoutes(
      `storage_config: {db_url: 'sqlite://\${DIR:-data}/\${NAME}.db'}`,
      { NAME: "7" },
    );
    expect(storage_config.db_url).toBe("sqlite://data/7.db");
  });

  test.each([
    ["12345"],
    ["true"],
    ["1e5"],
    ["*star"],
    ["&amp"],
    ["!bang"],
    ["@at"],
    ["{brace"],
    ["#hash"],
    ["a:#b"],
    ["%percent"],
    ["[list]"],
    ["`tick"],
  ])("a credential that looks like YAML (%s) stays the same text", (key) => {
    const { llm_routes } = parseRoute(`base_url: http://h/v1\napi_key: \${KEY}`, { KEY: key });
    expect(llm_routes.small?.api_key).toBe(key);
    const { auth } = parseWithRoutes(
      `auth: {api_keys: ['\${KEY}'], session_secret: '\${SECRET}'}`,
      {
        KEY: key,
        SECRET: `${key}0123456789abcdef`,
      },
    );
    expect(auth).toMatchObject({ api_keys: [{ key }], session_secret: `${key}0123456789abcdef` });
  });

  test("null and nothing are null where null is allowed", () => {
    const apiKey = (KEY: string): unknown =>
      parseRoute(`base_url: http://h/v1\napi_key: \${KEY}`, { KEY }).llm_routes.small?.api_key;
    expect(apiKey("null")).toBeNull();
  });

  test("an empty variable is not a credential, unless the file allows it", () => {
    const lines = (key: string): string => `base_url: http://h/v1\n${key}`;
    const complaint = `needs the environment variable KEY, which is empty (\${KEY:-} allows that)`;
    expect(complaintsOf(() => parseRoute(lines(`api_key: \${KEY}`), { KEY: "" }))).toEqual([
      `llm_routes.small.api_key: ${complaint}`,
    ]);
    const header = `headers: { authorization: "Bearer \${KEY}" }`;
    expect(complaintsOf(() => parseRoute(lines(header), { KEY: "" }))).toEqual([
      `llm_routes.small.headers.authorization: ${complaint}`,
    ]);
    const optional = parseRoute(lines(`api_key: \${KEY:-}`), { KEY: "" });
    expect(optional.llm_routes.small?.api_key).toBeNull();
  });

  test("an empty variable takes the default, and is not a missing one", () => {
    expect(parseWithRoutes(`listen_host: \${HOST:-::}`, { HOST: "" }).listen_host).toBe("::");
    expect(complaintsOf(() => parseWithRoutes(`listen_host: \${HOST}`, { HOST: "" }))).toEqual([
      'listen_host: expected an address such as 127.0.0.1, 0.0.0.0 or ::, found ""',
    ]);
  });

  test("$${ is a literal ${", () => {
    const { llm_routes } = parseRoute(`base_url: http://h/v1\nheaders: {x-a: '$\${HOME} $5'}`);
    expect(llm_routes.small?.headers["x-a"]).toBe(`\${HOME} $5`);
  });

  test("a missing variable is named with its key, once each, and no other issue of that key", () => {
    const error = configErrorOf(() =>
      parseWithRoutes(`listen_port: \${PORT}\nauth: {api_keys: ['\${KEY}']}\nlisten_hots: x`),
    );
    expect(error.issues.map(({ path }) => path)).toEqual([
      "listen_port",
      "auth.api_keys[0]",
      "listen_hots",
    ]);
    expect(error.message).toContain("1:1 listen_port: needs the environment variable PORT");
    expect(error.message).toContain("auth.api_keys[0]: needs the environment variable KEY");
  });

  test.each([[`\${}`], [`\${1A}`], ["${A"], [`\${A-b}`], [`\${A:-\${B}}`], [`\${A B}`]])(
    "%s is not a reference, and is not quoted in the error",
    (text) => {
      const [complaint] = complaintsOf(() => parseWithRoutes(`listen_host: "${text} s3cret"`));
      expect(complaint).toMatch(/^listen_host: has a reference that is neither \$\{NAME\}/);
      expect(complaint).not.toContain("s3cret");
    },
  );

  test("names of built-in object properties are not variables", () => {
    expect(complaintsOf(() => parseWithRoutes(`listen_host: \${constructor}`))).toHaveLength(1);
  });

  test("a number that JSON cannot have is refused, wherever it comes from", () => {
    const lines = `base_url: http://h/v1\nextra_body: {n: "\${N}"}`;
    expect(complaintsOf(() => parseRoute(lines, { N: "-.inf" }))).toEqual([
      "llm_routes.small.extra_body.n: is -Infinity, which JSON cannot represent",
    ]);
  });

  test("a key is not replaced", () => {
    expect(
      complaintsOf(() => parseRoute(`base_url: http://h/v1\nheaders: {'x-\${A}': b}`)),
    ).toContain(
      `llm_routes.small.headers["x-\${A}"]: is a key with \${; references are replaced in values only`,
    );
  });

  test("a value repeated by an alias is replaced once in each place", () => {
    const { llm_routes } = parseRoute(
      `base_url: http://h/v1\nextra_body: &body {text: '$\${A} \${A}', n: '\${N}'}\nextra_body_stream: *body`,
      { A: `\${B}`, N: "1" },
    );
    const body = { text: `\${A} \${B}`, n: 1 };
    expect(llm_routes.small).toMatchObject({ extra_body: body, extra_body_stream: body });
  });

  test("inside braces a reference needs quotes, and the error says so", () => {
    expect(
      complaintsOf(() => parseWithRoutes(`auth: {session_secret: \${S}}`, { S: "s" })),
    ).toContain(`: inside { } and [ ], a reference \${…} needs quotes`);
  });
});
