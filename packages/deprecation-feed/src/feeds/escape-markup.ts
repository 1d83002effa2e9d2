const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What XML 1.0 cannot hold, not even as references (section 2.2), or is advised against. */
const unwritable = /(?![\t\n\r])\p{Control}|\p{Surrogate}|[\ufffe\uffff]/gu;

/** A text for the content or an attribute of HTML and XML; what XML cannot hold becomes U+FFFD. */
export const escapeMarkup = (text: string): string =>
  text
    .replace(unwritable, "\ufffd")
    .replace(/[&<>"']/g, (character) => references[character] ?? "");
