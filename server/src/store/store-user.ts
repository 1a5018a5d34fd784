/** PostgreSQL refuses to run as root; started by root, the store runs as a user of its own. */
export const runsAsRoot = process.getuid?.() === 0;

/** Has no entry in /etc/passwd on any system; the server does not mind. */
export const STORE_UID = 64_720;

/** `initdb`, unlike the server, wants a user with a name. This one is everywhere. */
export const NOBODY_UID = 65_534;

/**
 * How the data folder is named to PostgreSQL. LILAC_HOME (0700) and its parents stay shut to the
 * store's user. It gets in because the working directory is set before the user changes, and
 * /proc/self/cwd leads there without passing through the parents.
 */
export function dataArgument(data: string): string {
  return runsAsRoot ? '/proc/self/cwd' : data;
}

export function userOptions(uid: number): { uid?: number; gid?: number } {
  return runsAsRoot ? { uid, gid: uid } : {};
}
