import type { Store } from '../../db/pool.ts';
import type { HandlersFor } from '../../http/handler.ts';
import type { Clock } from '../../lib/clock.ts';
import { listApiKeys } from './api-key-store.ts';
import { createApiKey } from './create-api-key.ts';
import type { LastUsed } from './last-used.ts';
import { presentApiKey, presentNewApiKey } from './present.ts';
import { revokeApiKey } from './revoke-api-key.ts';

export interface ApiKeysDeps {
  store: Pick<Store, 'db'>;
  clock: Clock;
  lastUsed: Pick<LastUsed, 'flush'>;
}

export function apiKeyHandlers({ store: { db }, clock, lastUsed }: ApiKeysDeps): HandlersFor<'api-keys'> {
  return {
    'api-keys.list': async ({ organisation }) => {
      // So that a key used a moment ago does not show as unused.
      await lastUsed.flush();
      return (await listApiKeys(db, organisation.id)).map(presentApiKey);
    },
    'api-keys.create': async ({ body: { name, role, expiresAt }, organisation, caller }) => {
      const create = { organisationId: organisation.id, name, role, expiresAt, caller };
      const { row, secret } = await createApiKey(db, create, clock.now());
      return presentNewApiKey(row, secret);
    },
    'api-keys.revoke': async ({ body: { keyId }, organisation, caller }) => {
      await revokeApiKey(db, { organisationId: organisation.id, keyId, caller, now: clock.now() });
      return { revoked: true };
    },
  };
}
