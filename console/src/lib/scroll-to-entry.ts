/** Where a line of links is too long for the window it scrolls by itself; the page must not move with it. */
export function scrollToEntry(line: HTMLElement, href: string): void {
  const entry = [...line.querySelectorAll('a')].find((link) => link.getAttribute('href') === href);
  if (!entry) return;
  const [inside, outside] = [entry.getBoundingClientRect(), line.getBoundingClientRect()];
  line.scrollLeft += inside.left - outside.left - (outside.width - inside.width) / 2;
}
