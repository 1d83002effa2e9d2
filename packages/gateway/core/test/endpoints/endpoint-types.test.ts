import type { EndpointName } from "@proj/gateway-protocol";
import { apiOf, endpointPaths } from "@proj/gateway-protocol";
import { expect, expectTypeOf, test } from "vitest";
import type { Endpoint } from "../../src/endpoints/endpoint.ts";
import { endpoints, type endpointsByName } from "../../src/endpoints/endpoints.ts";

test("an endpoint is a value with all its members, never a name alone", () => {
  type Entry = (typeof endpoints)[number];
  expectTypeOf<"third">().not.toExtend<Entry>();
  expectTypeOf<{ name: "chat_completions"; path: string }>().not.toExtend<Entry>();
  // Leaving out any single member is an error.
  type Incomplete = { [Member in keyof Endpoint]: Omit<Endpoint, Member> }[keyof Endpoint];
  expectTypeOf<Incomplete>().not.toExtend<Entry>();
  expectTypeOf<Extract<Incomplete, Endpoint>>().toBeNever();
});

test("a name without a value, or with another's value, does not compile", () => {
  type List = typeof endpointsByName;
  expectTypeOf<keyof List>().toEqualTypeOf<EndpointName>();
  expectTypeOf<Omit<List, "responses">>().not.toExtend<List>();
  expectTypeOf<Endpoint<"chat_completions">>().not.toExtend<List["responses"]>();
  // @ts-expect-error "third" is not the name of an endpoint
  expectTypeOf<Endpoint<"third">>().toBeObject();
});

test("every name has its own path", () => {
  expect(endpoints.map(({ name }) => name)).toEqual(Object.keys(endpointPaths));
  expect(endpoints.map(({ name, path }) => [name, path])).toEqual(Object.entries(endpointPaths));
  expect(endpoints.map(({ name }) => name)).toEqual(Object.keys(apiOf));
  expect(new Set(Object.values(endpointPaths)).size).toBe(endpoints.length);
});
