import type { IncomingMessage } from 'node:http';

/** Where a request wants to go: the host it names, and the path as it was written. */
export interface RequestTarget {
  host: string | undefined;
  path: string;
}

/**
 * Null when the request names its host in two ways, when it names none though it speaks HTTP/1.1,
 * or when its target is of no known form (RFC 9112, 3.2).
 */
export function readTarget(
  request: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders' | 'httpVersion'>,
): RequestTarget | null {
  const { url = '', headers, rawHeaders, httpVersion } = request;
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host');
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) return null;
  if (url.startsWith('/') || url === '*') return { host: headers.host, path: url };
  // A client that takes us for its proxy writes the whole address; its host then counts, not the header's.
  const absolute = /^https?:\/\/([^/?#]+)([/?][^#]*)?$/i.exec(url);
  if (!absolute) return null;
  const rest = absolute[2] ?? '/';
  return { host: absolute[1], path: rest.startsWith('?') ? `/${rest}` : rest };
}
