import { globSync } from "node:fs";
import { defineConfig } from "vitepress";
import { sidebar } from "../sidebar.ts";

const libraries = globSync("packages/*/*/index.md", { cwd: ".stage" })
  .map((file) => file.slice(0, -"index.md".length))
  .map((folder) => ({ text: folder.split("/").slice(1, 3).join(": "), link: `/${folder}` }))
  .sort((a, b) => a.text.localeCompare(b.text));

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" rx="2" fill="#3451b2"/>
<path d="M2 2v4M6 2v4M2 4h4" stroke="#fff"/></svg>`;

// A link to a page that does not exist fails the build.
export default defineConfig({
  title: "Model gateway and simulation tools",
  description: "Records what agents ask of models, for reinforcement learning and evaluation",
  base: process.env.DOCS_BASE ?? "/",
  srcDir: ".stage",
  outDir: "../../docs/site",
  cacheDir: ".cache",
  lastUpdated: false,
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  markdown: {
    config(md) {
      const fence = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info, content } = tokens[index];
        if (info.trim() !== "mermaid") return fence(tokens, index, ...rest);
        return `<pre class="mermaid" v-pre>${md.utils.escapeHtml(content)}</pre>`;
      };
    },
  },
  themeConfig: {
    siteTitle: "Model gateway",
    search: { provider: "local" },
    nav: [
      { text: "Train", link: "/docs/training" },
      { text: "Evaluate", link: "/docs/evaluation" },
      { text: "Commands", link: "/commands" },
      { text: "HTTP", link: "/openapi/gateway-core" },
      ...(process.env.DOCS_WITHOUT_API === undefined
        ? [{ text: "API", link: "/api/index.html", target: "_self" }]
        : []),
    ],
    sidebar: sidebar(libraries),
  },
});
