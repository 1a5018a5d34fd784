import { quote, refuseArchive } from './refuse-archive.ts';

/**
 * Where a link in an archive leads, which must be inside. The steps up come first, from the link's own
 * folder, which is a real one (`checkPaths`); so nothing they pass is a link, and they lead where they
 * seem to. What follows only goes down, through links perhaps that were checked in the same way.
 */
export function assertLeadsInside(path: string, target: string): void {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const stepsUp = parts.findIndex((part) => part !== '..');
  const down = stepsUp === -1 ? [] : parts.slice(stepsUp);
  const up = parts.length - down.length;
  const depth = path.split('/').length - 1;
  const isBroken = target === '' || target.includes('\0') || target.startsWith('/');
  if (isBroken || up > depth || down.includes('..')) {
    throw refuseArchive(
      `The link ${quote(path)} leads to ${quote(target)}, which is or may be outside the archive. ` +
        'Leave it out, or replace it by what it leads to.',
    );
  }
}
