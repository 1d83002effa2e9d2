import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import express, { type Router } from "express";

/** They are served as they are, so they are published with the sources. */
const folder = new URL("../../src/page/", import.meta.url);

const files: readonly (readonly [path: string, type: string])[] = [
  ["style.css", "text/css"],
  ...["main", "connection", "mirror", "row-list", "chart", "ticket", "numbers"].map(
    (name) => [`${name}.js`, "text/javascript"] as const,
  ),
];

const require = createRequire(import.meta.url);
const charts = new URL(
  "dist/lightweight-charts.standalone.production.mjs",
  pathToFileURL(require.resolve("lightweight-charts/package.json")),
);

/** The page at `/` and what it loads. It works over the interface alone, as any client does. */
export function pageRouter(): Router {
  const router = express.Router();
  const serve = (path: string, type: string, file: URL): void => {
    const content = readFileSync(file);
    router.get(path, (_request, response) => {
      response
        .set({
          "content-type": `${type}; charset=utf-8`,
          "cache-control": "no-cache",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "content-security-policy": contentSecurityPolicy,
        })
        .end(content);
    });
  };
  serve("/", "text/html", new URL("page.html", folder));
  for (const [path, type] of files) serve(`/page/${path}`, type, new URL(path, folder));
  serve("/page/lightweight-charts.js", "text/javascript", charts);
  return router;
}

// The charts set styles on elements, and put their own sheet into the page.
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
