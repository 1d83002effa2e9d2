const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that XML 1.0 cannot contain, even as references (section 2.2), or advises against. */
const unwritable = /(?![\t\n\r])\p{Control}|\p{Surrogate}|[\ufffe\uffff]/gu;

/** Escapes a text for content or attributes of HTML and XML; characters that XML cannot contain become U+FFFD. */
export const escapeMarkup = (text: string): string =>
  text
    .replace(unwritable, "\ufffd")
    .replace(/[&<>"']/g, (character) => references[character] ?? "");
