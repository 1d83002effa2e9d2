/**
 * Characters that change what is shown without being shown: controls, marks that turn the direction
 * of text, tags, blanks of no width. Tab and line feed are what they are, and joiners belong to words
 * and emoji.
 */
const hidden = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** The text as it is, hidden characters included. */
export const visible = (text: string): string =>
  text.replace(/\r\n/g, "\n").replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    // Pictures of the controls, in their order.
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
