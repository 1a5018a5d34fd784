/** Proxies have a limit of their own, nginx one of a megabyte, and only who runs one can raise it. */
const RAISE_LIMIT = 'Its limit on the size of bodies must be raised: whoever runs it can do that.';

/** A failure that is not in the platform's words: a proxy or a gateway in front of it has answered in its place. */
export function sayForeignAnswer({ status, statusText }: Pick<Response, 'status' | 'statusText'>): string {
  const answered = `${status} ${statusText}`.trim();
  const who = `Something between you and the platform answered ${answered}, not the platform itself.`;
  return status === 413 ? `${who} ${RAISE_LIMIT}` : who;
}
