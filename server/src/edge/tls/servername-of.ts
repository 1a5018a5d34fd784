import type { Duplex } from 'node:stream';

/** Whom the client has named in its handshake; undefined: nobody, or there was none. */
export function servernameOf(
  connection: Duplex & { servername?: string | false | null | undefined },
): string | undefined {
  // Node has one or the other for nobody.
  return connection.servername || undefined;
}
