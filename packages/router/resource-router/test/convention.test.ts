import { afterAll, beforeAll, expect, test } from "vitest";
import { createRouter, type Operations, reply, resource } from "../src/index.ts";
import type { Answered } from "./ask.ts";
import { type Place, startThree } from "./three-servers.ts";

const operationNames = ["index", "find", "create", "update", "delete", "options"] as const;
type Name = (typeof operationNames)[number];

/** The convention's table, and HEAD, which follows GET. */
const rows: readonly (readonly [method: string, form: "collection" | "item", operation: Name])[] = [
  ["GET", "collection", "index"],
  ["HEAD", "collection", "index"],
  ["POST", "collection", "create"],
  ["OPTIONS", "collection", "options"],
  ["GET", "item", "find"],
  ["HEAD", "item", "find"],
  ["PUT", "item", "update"],
  ["DELETE", "item", "delete"],
  ["OPTIONS", "item", "options"],
];
const ofConvention = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];
const methods = [...ofConvention, "PATCH", "TRACE", "PROPFIND"];

const paths = [
  { form: "collection", path: "", id: "" },
  { form: "collection", path: "/", id: "" },
  { form: "collection", path: "?page=2", id: "" },
  { form: "collection", path: "/?page=2", id: "" },
  { form: "item", path: "/7", id: "7" },
  { form: "item", path: "/7?page=2", id: "7" },
  { form: "item", path: "/a%2Fb", id: "a/b" },
  { form: "item", path: "/a.txt", id: "a.txt" },
  { form: "malformed", path: "/%zz", id: "" },
  { form: "malformed", path: "/..", id: "" },
  { form: "nothing", path: "/7/", id: "" },
  { form: "nothing", path: "/7/8", id: "" },
  { form: "nothing", path: "//", id: "" },
  { form: "nothing", path: "//7", id: "" },
] as const;

/** Resources that implement everything, nothing, all but one operation, and only that one. */
const resources: ReadonlyMap<string, readonly Name[]> = new Map<string, readonly Name[]>([
  ["everything", operationNames],
  ["nothing", []],
  ...operationNames.flatMap((name) => [
    [`only-${name}`, [name]] as const,
    [`without-${name}`, operationNames.filter((other) => other !== name)] as const,
  ]),
]);

function operationsOf(names: readonly Name[]): Operations {
  const entries = names.map((name) => {
    const answer = (context: object): unknown => {
      const id = "id" in context ? context.id : "";
      return reply(200, `${name} ${id}`, { "x-operation": name });
    };
    return [name, answer] as const;
  });
  return Object.fromEntries(entries);
}

let places: readonly Place[];
beforeAll(async () => {
  const all = [...resources].map(([name, names]) => resource(name, operationsOf(names)));
  places = await startThree(createRouter(all));
});
afterAll(async () => {
  for (const place of places) await place[Symbol.asyncDispose]();
});

interface Expected {
  readonly status: number;
  readonly operation?: string;
  readonly allow?: string;
  readonly text?: string;
}

function expected(
  names: readonly Name[],
  method: string,
  { form, id }: (typeof paths)[number],
): Expected {
  const is400 = { status: 400, text: "Bad Request" };
  if (form === "nothing") return { status: 404, text: "Not Found" };
  if (form === "malformed") return is400;
  const here = rows.filter((row) => row[1] === form);
  const operation = here.find((row) => row[0] === method)?.[2];
  if (operation !== undefined && names.includes(operation))
    return { status: 200, operation, text: `${operation} ${id}` };
  const allowed = here.filter((row) => names.includes(row[2])).map((row) => row[0]);
  const allow = [...new Set([...allowed, "OPTIONS"])].join(", ");
  if (method === "OPTIONS") return { status: 204, allow, text: "" };
  return { status: 405, allow, text: "Method Not Allowed" };
}

function seen(method: string, answered: Answered): Expected {
  const { status, headers, text } = answered;
  const operation = headers["x-operation"];
  const isProblem = headers["content-type"] === "application/problem+json";
  if (status >= 400) expect(isProblem).toBe(true);
  return {
    status,
    ...(typeof operation === "string" && { operation }),
    ...(headers.allow !== undefined && { allow: headers.allow }),
    // HEAD has no text, and neither has TRACE with Node's client.
    ...(method !== "HEAD" && { text: text === "" ? "" : titleOf(JSON.parse(text)) }),
  };
}

function titleOf(body: string | { readonly title: string }): string {
  return typeof body === "string" ? body : body.title;
}

test.each([...resources])(
  "the resource that implements '%s' answers according to the table, on every server",
  async (name, names) => {
    for (const method of methods) {
      for (const path of paths) {
        const { text, ...rest } = expected(names, method, path);
        const wanted = method === "HEAD" ? rest : { ...rest, text };
        const target = `/${name}${path.path}`;
        await Promise.all(
          places.map(async (place) => {
            const answered = await place.ask(target, { method });
            expect(seen(method, answered), `${method} ${target}, ${place.name}`).toEqual(wanted);
          }),
        );
      }
    }
  },
);

test("other paths and methods outside the convention are left to the ordinary handlers", async () => {
  for (const place of places) {
    for (const method of methods) {
      for (const path of [
        "/other?ordinary",
        "/everything/7/8?ordinary",
        "/?ordinary",
        "/Everything?ordinary",
      ]) {
        const { text } = await place.ask(path, { method });
        expect(text, `${method} ${path}, ${place.name}`).toBe(method === "HEAD" ? "" : "ordinary");
      }
    }
    for (const method of ["PATCH", "TRACE", "PROPFIND"]) {
      for (const path of [
        "/everything?ordinary",
        "/everything/7?ordinary",
        "/nothing/%zz?ordinary",
      ])
        expect((await place.ask(path, { method })).text).toBe("ordinary");
    }
    for (const method of ofConvention)
      expect((await place.ask("/nothing/7?ordinary", { method })).text).not.toBe("ordinary");
  }
});

test("HEAD has the headers of GET", async () => {
  for (const place of places) {
    for (const path of ["/everything", "/everything/7"]) {
      const [get, head] = [await place.ask(path), await place.ask(path, { method: "HEAD" })];
      const { date: _, ...headers } = head.headers;
      expect(get.headers).toMatchObject(headers);
      expect(headers["content-length"]).toBe(String(get.text.length));
      expect(head.text).toBe("");
    }
  }
});
