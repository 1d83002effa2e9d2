import { expect, test } from "vitest";
import { created, createRouter, group, type Operations, resource } from "../src/index.ts";
import { startThree } from "./three-servers.ts";

const comments = resource("posts/{post}/comments", {
  index: ({ params }) => params,
  find: ({ params: { post }, id }) => [post, id],
  create: ({ params: { post } }) => created(`of ${post}`),
});
const likes = resource("posts/{post}/comments/{comment}/likes", {
  index: ({ params: { post, comment } }) => [post, comment],
});
const posts = resource("posts", { find: ({ id, params }) => [id, params] });

test("a resource below an item gets the parent ids, wherever the router is mounted", async () => {
  const router = createRouter([posts, comments, group("api/v1", [likes, comments])]);
  for (const place of await startThree(router)) {
    await using open = place;
    const textAt = async (path: string): Promise<string> => (await open.ask(path)).text;
    expect(await textAt("/posts/7")).toBe('["7",{}]');
    expect(await textAt("/posts/7/comments")).toBe('{"post":"7"}');
    expect(await textAt("/posts/7/comments/?a=/b/")).toBe('{"post":"7"}');
    expect(await textAt("/posts/a%2Fb/comments/c%20d")).toBe('["a/b","c d"]');
    expect(await textAt("/api/v1/posts/7/comments/8/likes")).toBe('["7","8"]');
    const { status, headers } = await open.ask("/posts/7/comments", { method: "POST" });
    expect([status, headers.location]).toEqual([201, `${open.prefix}/posts/7/comments/of%207`]);
  }
});

test("other paths below an item match nothing", async () => {
  const router = createRouter([posts, comments]);
  for (const target of [
    "/posts/7/",
    "/posts/7/other",
    "/posts//comments",
    "/posts/7/comments/8/likes",
    "/posts/7/comments/8/",
    "/comments",
  ])
    expect(router.match("GET", target), target).toBeNull();
  expect(router.match("GET", "/posts/comments")).toMatchObject({
    operation: "find",
    id: "comments",
  });
  expect(router.match("GET", "/posts/7/comments/8")).toEqual({
    resource: "posts/{post}/comments",
    operation: "find",
    id: "8",
  });
  for (const target of ["/posts/%zz/comments", "/posts/../comments/8"])
    expect(router.match("GET", target), target).toMatchObject({ id: null });
  expect(createRouter([comments]).match("GET", "/posts/7")).toBeNull();
});

test("a parent id that cannot be decoded is answered 400, not treated as another path", async () => {
  for (const place of await startThree(createRouter([comments]))) {
    await using open = place;
    expect((await open.ask("/posts/%zz/comments")).status).toBe(400);
    expect((await open.ask("/posts/%2e%2e/comments/1")).status).toBe(400);
  }
});

test.each([
  "posts/{post}",
  "posts/{id}/comments",
  "posts/{}/comments",
  "posts/{a-b}/comments",
  "posts/{a}/comments/{a}/likes",
  "posts/7/comments",
  "{post}/comments",
])("'%s' is not a path", (path) => {
  const operations: Operations = {};
  expect(() => resource<string, Operations>(path, operations)).toThrow(JSON.stringify(path));
});

test("a path below an item can be used once, and not by a group", () => {
  expect(() => createRouter([comments, comments])).toThrow("'/posts/{post}/comments'");
  expect(() => createRouter([group("posts", []), comments])).toThrow("taken twice");
});
