import type { Clock } from '../../lib/clock.ts';
import { buildRequest, readResponse, responderOf, type OcspVerdict, type Questioned } from './ocsp.ts';

const PATIENCE_MS = 10_000;
const MAX_BYTES = 64 * 1024;

export interface FetchedOcsp extends OcspVerdict {
  /** As it came, to be shown along. */
  bytes: Buffer;
}

/** Asks the authority; null: it offers nothing of the kind. Throws when there is no answer that can be believed. */
export async function fetchOcsp(
  questioned: Questioned,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<FetchedOcsp | null> {
  const url = responderOf(questioned.leaf);
  if (url === null) return null;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' },
    body: new Uint8Array(buildRequest(questioned)),
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  });
  if (!response.ok) throw new Error(`${new URL(url).host} answers ${response.status}`);
  const bytes = await readWhole(response);
  return { ...readResponse(bytes, questioned, clock.now()), bytes };
}

async function readWhole(response: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    length += pieces.at(-1)!.length;
    if (length > MAX_BYTES) throw new Error('the answer is too large');
  }
  return Buffer.concat(pieces);
}
