import DefaultTheme from "vitepress/theme";
import "./narrow.css";

/** Draws each diagram of a page once. */
async function draw() {
  const pictures = document.querySelectorAll("pre.mermaid:not([data-processed])");
  if (pictures.length === 0) return;
  const { default: mermaid } = await import("mermaid");
  const isDark = document.documentElement.classList.contains("dark");
  mermaid.initialize({ startOnLoad: false, theme: isDark ? "dark" : "default" });
  await mermaid.run({ nodes: pictures });
}

export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    if (typeof document === "undefined") return;
    router.onAfterRouteChange = () => requestAnimationFrame(draw);
  },
};
