/** Longer than a double click takes. */
const pauseMs = 600;

let isBusy = false;

function setBusy(value) {
  isBusy = value;
  document.documentElement.toggleAttribute("data-pressed", value);
}

/**
 * Makes a button trade once for each time that a person means it. While one request runs, and for the
 * length of a double click, every trading button is deaf: rows move up when a trade is closed, and a second
 * click would meet the next one. A key that is held down presses once.
 */
export function onPress(button, press) {
  button.type = "button";
  button.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
  button.addEventListener("click", async () => {
    if (isBusy) return;
    setBusy(true);
    const pause = new Promise((resolve) => setTimeout(resolve, pauseMs));
    try {
      await press();
      await pause;
    } finally {
      setBusy(false);
    }
  });
}
