/** Longer than a double click. */
const pauseMs = 600;

let isBusy = false;

function setBusy(value) {
  isBusy = value;
  document.documentElement.toggleAttribute("data-pressed", value);
}

/**
 * Makes a button trade once per intended press. While a request runs, and for the length of a double click,
 * all trading buttons ignore presses: rows move up when a trade is closed, and a second click would hit the next
 * row. A held key counts as one press.
 */
export function onPress(button, press) {
  button.type = "button";
  button.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
  button.addEventListener("click", async (event) => {
    // `detail` counts the clicks of a double click, whose pace is each user's own setting.
    if (isBusy || event.detail > 1) return;
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
