import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { kitFiles, packedFile, pageHeaders, sendFile } from "@proj/program/page";

const html = `<!doctype html><html lang="en"><title>Hello</title>
<link rel="stylesheet" href="kit.css"><h1>Hello</h1></html>`;
const files = new Map(
  [...kitFiles(), ["", html] as const].map(([name, text]) => [
    `/${name}`,
    packedFile(name || "index.html", text),
  ]),
);
const server = createServer((request, response) => {
  const file = files.get(request.url ?? "");
  if (file === undefined) response.writeHead(404).end();
  else sendFile(request, response, file, { ...pageHeaders(), "cache-control": "no-cache" });
}).listen(0, "127.0.0.1");
await once(server, "listening");

const address = server.address();
const port = typeof address === "object" ? address?.port : null;
const style = await fetch(`http://127.0.0.1:${port}/kit.css`);
assert.equal(style.headers.get("content-encoding"), "gzip");
server.close();
