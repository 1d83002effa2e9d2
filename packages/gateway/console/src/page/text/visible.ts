/**
 * Invisible characters that change what is shown: controls, marks that turn the direction of text, tags,
 * zero-width spaces. Tabs and line feeds are harmless, and joiners belong to words and emoji.
 */
const hidden = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** The text with its hidden characters made visible. */
export const visible = (text: string): string =>
  text.replace(/\r\n/g, "\n").replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    // Unicode has a picture of each control, in the same order.
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
