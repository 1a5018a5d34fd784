import type { RequestHead } from '../front/request-head.ts';

/** The head of a request as the instance gets it. Nothing of what the client wrote goes on unread. */
export function requestText(head: RequestHead, forwardedLines: string): string {
  let text = `${head.method} ${head.target} HTTP/1.1\r\n${head.lines}${forwardedLines}`;
  if (head.isChunked) text += 'Transfer-Encoding: chunked\r\n';
  if (head.expectsContinue) text += 'Expect: 100-continue\r\n';
  if (head.upgrade !== '') text += `Connection: Upgrade\r\nUpgrade: ${head.upgrade}\r\n`;
  return `${text}\r\n`;
}

/** Safe methods ask, and change nothing (RFC 9110, 9.2.1): they may be sent again. */
export function isRepeatable({ method, hasBody, upgrade }: RequestHead): boolean {
  return (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') && !hasBody && upgrade === '';
}
