import type { Mutation } from "../mutation.ts";

const broken = (name: string, mutate: Mutation["mutate"]): Mutation => ({
  group: "broken pages",
  name,
  mutate,
  isKnowable: false,
});

const cut =
  (part: number) =>
  (html: string): string =>
    html.slice(0, Math.floor(html.length * part));

export const brokenPageMutations: readonly Mutation[] = [
  broken("cut after half", cut(0.5)),
  broken("cut after 70 %", cut(0.7)),
  broken("cut after 80 %", cut(0.8)),
  broken("cut after 90 %", cut(0.9)),
  broken("cut after 97 %", cut(0.97)),
  broken("empty", () => ""),
  broken(
    "a login",
    () => "<!doctype html><html><body><h1>Sign in</h1><form><input></form></body></html>",
  ),
  broken(
    "a page that needs JavaScript",
    () =>
      "<!doctype html><html><body><div id=root></div><noscript>Enable JavaScript</noscript></body></html>",
  ),
  broken(
    "a page that has moved",
    () =>
      "<h1>This page has moved</h1><p>Models are deprecated on <a href='/new'>another page</a>.</p>",
  ),
];
