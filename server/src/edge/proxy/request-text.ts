import type { RequestHead } from '../front/request-head.ts';

/** The head of a request as the instance gets it. Nothing of what the client wrote goes on unread. */
export function requestText(head: RequestHead, forwardedLines: string): string {
  let text = `${head.method} ${head.target} HTTP/1.1\r\n${head.lines}${forwardedLines}`;
  if (head.isChunked) text += 'Transfer-Encoding: chunked\r\n';
  if (head.expectsContinue) text += 'Expect: 100-continue\r\n';
  if (head.upgrade !== '') text += `Connection: Upgrade\r\nUpgrade: ${head.upgrade}\r\n`;
  return `${text}\r\n`;
}
