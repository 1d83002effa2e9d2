import { createServer } from "node:http";
import { type Listening, listen } from "@proj/test-kit";
import { kitFiles, packedFile, pageHeaders, sendFile } from "../../src/page/index.ts";

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sample</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="kit.css">
<script type="module" src="sample.js"></script>
</head>
<body>
<header><h1>Sample</h1><p class="links"><a href="#all">All</a> <span class="count">2</span></p></header>
<main id="all">
<p class="notice">Something failed.</p>
<p class="empty">There is nothing.</p>
<p><code id="number"></code> <span id="time"></span></p>
<div class="scrolled" tabindex="0" role="region" aria-label="Numbers">
<table><thead><tr>${'<th class="number">A long heading</th>'.repeat(12)}</tr></thead>
<tbody><tr>${'<td class="number">12,345,678</td>'.repeat(12)}</tr></tbody></table>
</div>
<p id="problem" role="alert"></p>
</main>
</body>
</html>
`;
const script = `import { scaled, time } from "./format.js";
import { askJson } from "./server.js";
document.querySelector("#number").textContent = scaled("1234567890123456789", 2);
document.querySelector("#time").append(time(1767225600));
addEventListener("click", () =>
  askJson("answer").catch(({ message }) => { document.querySelector("#problem").textContent = message; }));
`;

/** Serves a page that uses the kit and nothing else. */
export function serveSample(): Promise<Listening> {
  const files = new Map(
    [...kitFiles(), ["index.html", html] as const, ["sample.js", script] as const].map(
      ([name, text]) => [name, packedFile(name, text)],
    ),
  );
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(pageHeaders())) response.setHeader(name, value);
    const file = files.get(request.url?.slice(1) || "index.html");
    if (file === undefined) response.writeHead(404).end();
    else sendFile(request, response, file, { "cache-control": "no-cache" });
  });
  return listen(server);
}
