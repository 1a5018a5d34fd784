import { accessSync, constants, statSync } from 'node:fs';

/** Why this user cannot look into LILAC_HOME; null when it can, or when there is nothing yet. */
export function whyClosed(home: string, uid = process.getuid?.()): string | null {
  try {
    const stat = statSync(home, { throwIfNoEntry: false });
    if (!stat) return null;
    // What is in there is shut to others, even where the folder itself is not. Root may look everywhere.
    if (stat.uid !== uid && uid !== 0) return `LILAC_HOME belongs to somebody else (uid ${stat.uid})`;
    accessSync(home, constants.R_OK | constants.X_OK);
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    return 'LILAC_HOME is shut to this user';
  }
}
