import type { RequestHead } from '../front/request-head.ts';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Asked twice, it is as if it were asked once (RFC 9110, 9.2.1), and all of it is in its head. */
export function isRepeatable({ method, isChunked, contentLength, upgrade }: RequestHead): boolean {
  return SAFE_METHODS.includes(method) && !isChunked && !contentLength && upgrade === '';
}
