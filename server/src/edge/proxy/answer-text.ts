import type { ResponseHead } from './response-head.ts';

/** The head of an answer as the client gets it, but for its last lines. */
export function answerText(head: ResponseHead, isChunked: boolean): string {
  const text = `${firstLine(head)}${head.lines}`;
  return isChunked ? `${text}Transfer-Encoding: chunked\r\n` : text;
}

export function tunnelText(head: ResponseHead, upgrade: string): string {
  return `${firstLine(head)}${head.lines}Connection: Upgrade\r\nUpgrade: ${head.upgrade || upgrade}\r\n\r\n`;
}

export function informationText(head: ResponseHead): string {
  return `${firstLine(head)}${head.lines}\r\n`;
}

/** There is a blank behind the status even where no reason is. */
function firstLine({ statusText }: ResponseHead): string {
  return statusText.length > 3 ? `HTTP/1.1 ${statusText}\r\n` : `HTTP/1.1 ${statusText} \r\n`;
}
