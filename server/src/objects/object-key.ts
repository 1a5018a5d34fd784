/** A key that no object may have: most likely it was put together from something a caller sent. */
export class KeyRefused extends Error {
  constructor(key: string) {
    super(`${JSON.stringify(key.slice(0, 200))} cannot be the key of an object.`);
  }
}

const MAX_KEY_LENGTH = 1024;
const PART = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/;

export function assertKey(key: string): void {
  if (key.length > MAX_KEY_LENGTH || !key.split('/').every((part) => PART.test(part))) throw new KeyRefused(key);
}

/** What keys may begin with; it may end in the middle of a part. */
export function assertPrefix(prefix: string): void {
  const parts = prefix.split('/');
  const last = parts.pop()!;
  if (!parts.every((part) => PART.test(part)) || !/^[A-Za-z0-9._-]{0,255}$/.test(last)) throw new KeyRefused(prefix);
}
