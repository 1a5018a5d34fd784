import type { RequestHead } from './request-head.ts';

const WHOLE_ADDRESS = /^https?:\/\/([^/?#@]+)([/?][^#]*)?$/i;

/**
 * Brings a request's target into the form in which instances are asked (RFC 9112, 3.2). False when it has
 * none of the forms we know, or names its host in two ways: such a request is not for an instance.
 */
export function settleTarget(head: RequestHead): boolean {
  const { method, target } = head;
  if (method === 'CONNECT') return false;
  if (target.startsWith('/')) return true;
  if (target === '*') return method === 'OPTIONS';
  const [, host, rest = '/'] = WHOLE_ADDRESS.exec(target) ?? [];
  if (host === undefined || host.toLowerCase() !== head.host.toLowerCase()) return false;
  head.target = rest.startsWith('?') ? `/${rest}` : rest;
  return true;
}
