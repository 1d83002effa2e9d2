import { defineConfig } from "vitepress";

const guides = [
  ["gateway", "Gateway"],
  ["launcher", "Launcher"],
  ["trading", "Trading"],
  ["arena", "Arena"],
  ["points", "Points"],
  ["feed", "Deprecation feed"],
  ["router", "Resource router"],
];
const using = [
  ["agents", "Agents and engines"],
  ["training", "Train your first agent"],
  ["providers", "Providers"],
  ["console", "Console"],
  ["fork-and-replay", "Fork and replay"],
  ["evaluation", "Evaluation"],
  ["ci", "Run in CI"],
  ["data", "Data in archives"],
  ["interfaces", "Interfaces"],
];
const running = [
  ["operations", "Operations"],
  ["observability", "Observability and cost"],
  ["troubleshooting", "Troubleshooting"],
  ["upgrading", "Upgrading"],
  ["several-gateways", "Several gateways"],
  ["storage", "Storage"],
  ["faults", "Faults"],
  ["security", "Security"],
];
const inside = [
  ["architecture", "Architecture"],
  ["decisions", "Decisions"],
];
const http = [
  ["gateway-core", "Gateway"],
  ["points-server", "Points"],
  ["paper-broker", "Paper trading"],
  ["deprecation-feed", "Deprecation feed"],
];

const under = (folder, pages) => pages.map(([name, text]) => ({ text, link: `${folder}${name}` }));

// A link to a page that does not exist fails the build.
export default defineConfig({
  title: "Model gateway and simulation tools",
  description: "A session-scoped model gateway, a launcher, and tools around them",
  base: process.env.DOCS_BASE ?? "/",
  srcDir: ".stage",
  outDir: "../../docs/site",
  cacheDir: ".cache",
  lastUpdated: false,
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
    search: { provider: "local" },
    nav: [
      { text: "Guides", link: "/docs/gateway" },
      { text: "HTTP", link: "/openapi/gateway-core" },
      ...(process.env.DOCS_WITHOUT_API === undefined
        ? [{ text: "API", link: "/api/index.html", target: "_self" }]
        : []),
    ],
    sidebar: [
      { text: "Products", items: under("/docs/", guides) },
      { text: "Using them", items: under("/docs/", using) },
      { text: "Running them", items: under("/docs/", running) },
      { text: "How and why", items: under("/docs/", inside) },
      { text: "HTTP", items: under("/openapi/", http) },
    ],
  },
});
