/** Moves the focus `by` links forwards or backwards. @returns whether there was one */
export function moveAmong(within: HTMLElement | null, selector: string, by: number): boolean {
  const links = [...(within?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const at = links.findIndex((link) => link.matches(":focus"));
  const next = links[at < 0 && by < 0 ? links.length - 1 : at + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return next !== undefined;
}
