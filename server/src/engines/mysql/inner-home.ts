import type { ServerPlace } from '../host/server-host.ts';

/**
 * Where a server that runs as another user finds its home. MariaDB resolves its paths down from the root, past folders
 * that are shut to that user, so it has the home at a place that every system has, in a view of its own.
 */
export const SHOWN_AT = '/mnt';

export const innerHomeOf = ({ home, uid }: Pick<ServerPlace, 'home' | 'uid'>): string =>
  uid === null ? home : SHOWN_AT;
