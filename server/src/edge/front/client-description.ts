/** How a client comes: by one of the public ports, or from another part of the edge, whose word about it is so. */
export type Way = 'http' | 'https' | 'inside';

/** Who the client is, as far as the edge knows. */
export interface ClientDescription {
  address: string;
  protocol: 'http' | 'https';
  /** It holds for all requests of the connection: no proxy speaks for others there. */
  isFixed: boolean;
}

/** What an instance is told about the client: by the edge, and by nobody else. */
export function forwardedLines({ address, protocol }: ClientDescription, host: string): string {
  return `X-Forwarded-For: ${address}\r\nX-Forwarded-Proto: ${protocol}\r\nX-Forwarded-Host: ${host}\r\n`;
}
