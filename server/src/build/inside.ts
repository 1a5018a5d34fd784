import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * Where a path of the project really lies; null where it is absent or where any part of it leads out of the
 * project, without a difference: what a build left is its own word, and must not tell it of this machine.
 */
export function realPathInside(source: string, path: string): string | null {
  const project = realpathSync(source);
  const real = orNull(() => realpathSync(join(project, path)));
  return real !== null && (real === project || real.startsWith(project + sep)) ? real : null;
}

/** Loops, files where folders should be, names too long: nothing that could be used is there. */
function orNull(look: () => string): string | null {
  try {
    return look();
  } catch {
    return null;
  }
}
