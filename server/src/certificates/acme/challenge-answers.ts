import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { AuthorityRefused, type ChallengeAnswers } from '../certificate-authority.ts';
import { deleteChallenges, saveChallenge } from './challenge-store.ts';
import { callDnsHook, type DnsHook } from './dns-hook.ts';

export interface AnswersDeps {
  store: Pick<Store, 'db'>;
  clock: Clock;
  log: Log;
  /** Writes TXT records; null: there is none. */
  dnsHook: DnsHook | null;
}

const KEPT_MS = 24 * 60 * 60_000;

/** Of one order. */
export function openAnswers({ store, clock, log, dnsHook }: AnswersDeps, signal: AbortSignal): ChallengeAnswers {
  const tokens: string[] = [];
  const texts: { name: string; value: string }[] = [];
  return {
    async publish(token, answer) {
      tokens.push(token);
      const expiresAt = new Date(clock.now().getTime() + KEPT_MS);
      await saveChallenge(store.db, { token, answer, expiresAt });
    },
    createText:
      dnsHook === null
        ? null
        : async (name, value) => {
            texts.push({ name, value });
            await callDnsHook(dnsHook, { verb: 'set', name, value, signal });
          },
    adoptText: (name, value) => void texts.push({ name, value }),
    async cleanUp() {
      await deleteChallenges(store.db, tokens);
      if (dnsHook === null) return;
      for (const { name, value } of texts) {
        await callDnsHook(dnsHook, { verb: 'remove', name, value }).catch((error: unknown) =>
          log.warn(
            { err: error, why: error instanceof AuthorityRefused ? error.forOperator : null },
            `The TXT record ${name} could not be removed.`,
          ),
        );
      }
    },
  };
}
