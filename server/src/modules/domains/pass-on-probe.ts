import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { deleteChallenges, saveChallenge } from '../../certificates/acme/challenge-store.ts';
import type { Store } from '../../db/pool.ts';
import { isPublicAddress } from '../../dns/public-address.ts';
import { answerOf, bodyOf } from '../../lib/answer-of.ts';

export interface ProbeOptions {
  store: Pick<Store, 'db'>;
  port?: number;
  mayAsk?: (address: string) => boolean;
}

/** Whether what is asked for at these addresses, by this name, comes to this platform: over a proxy of the owner's. */
export type PassOnProbe = (name: string, addresses: readonly string[]) => Promise<boolean>;

const KEPT_MS = 60_000;
const WITHIN_MS = 3000;
const MOST_ADDRESSES = 2;
const MOST_BYTES = 1024;

/** Asks as an authority would before it issues a certificate: what answers then answers the authority too. */
export function createPassOnProbe({ store, port = 80, mayAsk = isPublicAddress }: ProbeOptions): PassOnProbe {
  return async (name, addresses) => {
    const asked = addresses.filter(mayAsk).slice(0, MOST_ADDRESSES);
    if (asked.length === 0) return false;
    const [token, answer] = [randomBytes(24).toString('base64url'), randomBytes(24).toString('base64url')];
    await saveChallenge(store.db, { token, answer, expiresAt: new Date(Date.now() + KEPT_MS) });
    try {
      const path = `/.well-known/acme-challenge/${token}`;
      const answers = await Promise.all(asked.map((address) => askAt({ address, port, name, path })));
      return answers.includes(answer);
    } finally {
      await deleteChallenges(store.db, [token]);
    }
  };
}

/** Null where nobody answers well, and soon. */
async function askAt({ address, port, name, path }: { address: string; port: number; name: string; path: string }) {
  const signal = AbortSignal.timeout(WITHIN_MS);
  const asked = request({ host: address, port, path, headers: { host: name }, agent: false, signal });
  asked.end();
  try {
    const response = await answerOf(asked, { signal });
    const body = await bodyOf(response, { signal, maxBytes: MOST_BYTES });
    return response.statusCode === 200 ? body.toString().trim() : null;
  } catch {
    return null;
  }
}
