/** Where the password's form is sent to, on the locked host itself. */
export const UNLOCK_PATH = '/.lilac/unlock';

const MAX_LENGTH = 2000;

export function isUnlockPath(target: string): boolean {
  return target === UNLOCK_PATH || target.startsWith(`${UNLOCK_PATH}?`);
}

/** Where to go when the address is open: a path on this host, whatever was asked for. */
export function safeNextPath(wanted: string): string {
  // Two slashes begin another host's address; browsers take a backslash for a slash.
  const isLocal = /^\/(?![/\\])[\x21-\x7e]*$/.test(wanted) && !/^\/[^?#]*\\/.test(wanted);
  return isLocal && wanted.length <= MAX_LENGTH && !isUnlockPath(wanted) ? wanted : '/';
}
