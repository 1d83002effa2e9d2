import type { Endpoint, EndpointName } from "@proj/model-apis";
import { apiOf, endpointPaths, endpoints, type endpointsByName } from "@proj/model-apis";
import { expect, expectTypeOf, test } from "vitest";

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
