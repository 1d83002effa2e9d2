import { expect, test } from "vitest";
import {
  ContextValue,
  createRouter,
  group,
  type Hook,
  notFound,
  Problem,
  reply,
  resource,
} from "../src/index.ts";
import { ask } from "./ask.ts";
import { serve } from "./serve.ts";

test("hooks of router, groups and resource run around an operation, from the outside in", async () => {
  const seen: string[] = [];
  const named =
    (name: string): Hook =>
    async ({ method, resource: path, url }, next) => {
      seen.push(`${name} ${method} ${path} ${url}`);
      const result = await next();
      seen.push(`${name} ${JSON.stringify(result)}`);
      return [name, result];
    };
  const snips = resource("snips", { find: ({ id }) => id }, { hooks: [named("own")] });
  const members = [
    group("a", [group("b", [snips], { hooks: [named("inner")] })], { hooks: [named("outer")] }),
  ];
  const { port } = await serve(createRouter(members, { hooks: [named("router")] }).middleware);
  expect((await ask(port, "/a/b/snips/7?x")).text).toBe(
    '["router",["outer",["inner",["own","7"]]]]',
  );
  const path = "GET snips /a/b/snips/7?x";
  expect(seen).toEqual([
    `router ${path}`,
    `outer ${path}`,
    `inner ${path}`,
    `own ${path}`,
    'own "7"',
    'inner ["own","7"]',
    'outer ["inner",["own","7"]]',
    'router ["outer",["inner",["own","7"]]]',
  ]);
});

test("a hook may answer, refuse, and turn errors into problems", async () => {
  const user = new ContextValue<string>("user");
  const authenticate: Hook = (context, next) => {
    const name = context.headers["x-user"];
    if (name === undefined) throw new Problem(401, "Say who you are.");
    user.set(context, name);
    return name === "cached" ? reply(203, "kept") : next();
  };
  const mapErrors: Hook = (_context, next) =>
    next().catch((error: unknown) => {
      throw error instanceof RangeError ? notFound(error.message) : error;
    });
  const snips = resource(
    "snips",
    {
      index: (context) => user.get(context),
      find: ({ id }): never => {
        throw id === "range" ? new RangeError("out of it") : new Problem(418);
      },
    },
    { hooks: [authenticate, mapErrors] },
  );
  const { port } = await serve(createRouter([snips]).middleware);
  const statusOf = async (path: string, name?: string): Promise<unknown> => {
    const headers: Record<string, string> = name === undefined ? {} : { "x-user": name };
    const { status, text } = await ask(port, path, { headers });
    return [status, status < 400 ? text : JSON.parse(text).detail];
  };
  expect(await statusOf("/snips")).toEqual([401, "Say who you are."]);
  expect(await statusOf("/snips", "ann")).toEqual([200, '"ann"']);
  expect(await statusOf("/snips", "cached")).toEqual([203, '"kept"']);
  expect(await statusOf("/snips/range", "ann")).toEqual([404, "out of it"]);
  expect(await statusOf("/snips/other", "ann")).toEqual([418, undefined]);
});

test("a value that no hook has set is an error that names it", async () => {
  const errors: unknown[] = [];
  const user = new ContextValue<string>("user");
  const router = createRouter([resource("snips", { index: (context) => user.get(context) })], {
    onError: (error) => errors.push(error),
  });
  const { port } = await serve(router.middleware);
  expect((await ask(port, "/snips")).status).toBe(500);
  expect(errors).toMatchObject([{ message: expect.stringContaining("'user'") }]);
});
