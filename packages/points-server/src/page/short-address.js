const longest = 16;

/** Both ends of an address: the parts that people compare. */
export const shortened = (address) =>
  address.length <= longest ? address : `${address.slice(0, 6)}…${address.slice(-6)}`;

/** A button that copies the address and confirms it. */
export function copyButton(address) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.title = `Copy ${address}`;
  button.setAttribute("aria-label", `Copy ${address}`);
  button.textContent = "⧉";
  button.addEventListener("click", async () => {
    const copied = await navigator.clipboard.writeText(address).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? "✓" : "✗";
    setTimeout(() => {
      button.textContent = "⧉";
    }, 1_500);
  });
  return button;
}
