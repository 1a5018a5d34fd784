// Apart from the engine's client, which is much to load: most platforms have no engine.

export const isNotFound = (error: unknown): boolean => statusOf(error) === 404;

/** Somebody else has something of that name, or still needs it. */
export const isConflict = (error: unknown): boolean => statusOf(error) === 409;

/** The engine itself cannot be reached: what it runs may go on. */
export function isAway(error: unknown): boolean {
  const { code = '', syscall, name } = (error ?? {}) as NodeJS.ErrnoException;
  // Files have these too, and that one is missing says nothing of the engine.
  if (OF_ITS_SOCKET.includes(code)) return syscall === 'connect';
  return AWAY.includes(code) || name === 'AbortError';
}

const OF_ITS_SOCKET = ['ENOENT', 'EACCES', 'EPERM'];
const AWAY = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ABORT_ERR'];

const statusOf = (error: unknown): number | undefined => (error as { statusCode?: number } | null)?.statusCode;
