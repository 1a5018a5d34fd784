/** Says what is left out, so that nobody takes it for tested. */
export function isRootFor(what: string): boolean {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) console.log(`Skipped: only root can ${what}.`);
  return isRoot;
}
