import { createHmac } from 'node:crypto';
import type { GitProvider } from '@lilac/contract/states';
import { isSameText } from '../../../lib/same-text.ts';

/**
 * What people carry for an attempt. All of it follows from the attempt's id and a key that only the platform has, so
 * nothing is kept, and what is good for one purpose is good for no other:
 * - the state goes to the host and comes back by whoever's browser;
 * - the proof stays in the browser that began, as a cookie;
 * - the ticket is given to the browser that came back without the proof, once. Whoever began does not know it: else
 *   they could send somebody else to the host, and confirm what that person brought home.
 */
type Purpose = `state ${GitProvider}` | 'proof' | 'ticket';

const CARRIED = /^(vca_[0-9a-z]{26})\.([\w-]{43})$/;

export const writeState = (key: Buffer, provider: GitProvider, id: string): string =>
  write(key, `state ${provider}`, id);

/** The attempt's id; null when it was altered, made up, or is for another host. */
export const readState = (key: Buffer, provider: GitProvider, state: string): string | null =>
  read(key, `state ${provider}`, state);

export const writeTicket = (key: Buffer, id: string): string => write(key, 'ticket', id);
export const readTicket = (key: Buffer, ticket: string): string | null => read(key, 'ticket', ticket);

export const proofOf = (key: Buffer, id: string): string => signatureOf(key, 'proof', id);
export const isProof = (key: Buffer, id: string, given: string | null): boolean =>
  given !== null && isSameText(given, proofOf(key, id));

function write(key: Buffer, purpose: Purpose, id: string): string {
  return `${id}.${signatureOf(key, purpose, id)}`;
}

function read(key: Buffer, purpose: Purpose, text: string): string | null {
  const [, id, signature] = CARRIED.exec(text) ?? [];
  return id && signature && isSameText(signature, signatureOf(key, purpose, id)) ? id : null;
}

function signatureOf(key: Buffer, purpose: Purpose, id: string): string {
  return createHmac('sha256', key).update(`${purpose} ${id}`).digest('base64url');
}
