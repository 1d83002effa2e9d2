import { drawn } from "./drawing.js";

const maxLength = 16;

/** Lines on a square of 16: few fonts have these signs. */
const icons = {
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  done: "M3 8.5 6.5 12 13 4",
  failed: "M4 4l8 8M12 4l-8 8",
};

/** Both ends of an address: the parts that people compare. */
export const shortened = (address) =>
  address.length <= maxLength ? address : `${address.slice(0, 6)}…${address.slice(-6)}`;

/** A button that copies the address and confirms it. */
export function copyButton(address) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  const show = (icon, label) => {
    const path = drawn("path", { d: icons[icon] });
    button.replaceChildren(drawn("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, path));
    button.title = label;
    button.setAttribute("aria-label", label);
  };
  const offer = () => show("copy", `Copy ${address}`);
  offer();
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(address).then(
      () => show("done", "Copied"),
      () => show("failed", "Not copied"),
    );
    setTimeout(offer, 1_500);
  });
  return button;
}
