import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './acknowledged-writes.ts';
import { createDeployer } from './deploying.ts';
import { findNotMadeOnce, type MakingCall } from './made-once.ts';
import type { Platform } from './platform.ts';

export interface KeyMaking {
  calls: readonly MakingCall[];
  stop(): Promise<void>;
}

const PAUSE_MS = 100;

/**
 * Makes API keys, by turns through each host. Nothing but the platform's own care keeps two of a name apart: the store
 * would take a key that is made twice. What a host does not answer is not asked again.
 */
export function keepMakingKeys(hosts: () => readonly Platform[], account: Account): KeyMaking {
  const calls: MakingCall[] = [];
  const stopping = new AbortController();

  async function make(number: number): Promise<void> {
    const all = hosts();
    const { client, targetOrganisationId } = createDeployer(all[number % all.length]!, account);
    const call: MakingCall = { sent: `key ${number}`, id: null };
    calls.push(call);
    call.id = (await client.call('api-keys.create', { body: { targetOrganisationId, name: call.sent } })).id;
  }

  const work = (async () => {
    for (let number = 1; !stopping.signal.aborted; number++) {
      await make(number).catch(() => {});
      await delay(PAUSE_MS);
    }
  })();
  return {
    calls,
    stop() {
      stopping.abort();
      return work;
    },
  };
}

/** Which of the keys are not there, or there twice. */
export async function findKeysNotMadeOnce(platform: Platform, account: Account, keys: KeyMaking): Promise<string[]> {
  const { client, targetOrganisationId } = createDeployer(platform, account);
  const listed = await client.call('api-keys.list', { body: { targetOrganisationId } });
  const made = listed.map(({ id, name }) => ({ id, sent: name }));
  return findNotMadeOnce(keys.calls, made);
}
