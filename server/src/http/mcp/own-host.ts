import type { Config } from '../../config.ts';

const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether the caller asked for the platform by a name of its own, or on this machine. */
export function isOwnHost({ publicUrl }: Pick<Config, 'publicUrl'>, ownOrigin: string): boolean {
  const hostname = URL.parse(ownOrigin)?.hostname;
  return hostname !== undefined && (hostname === publicUrl.hostname || LOCAL_NAMES.has(hostname));
}
