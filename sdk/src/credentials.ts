import type { Client } from '@lilac/contract/client';
import type { LilacOptions } from './lilac-options.ts';
import { SessionTokens } from './session-tokens.ts';

/** Where the bearer of a call comes from. */
export interface Credentials {
  /** Null: the call goes without, as in a page whose cookie is enough. */
  current(): Promise<string | null>;
  /** What to use in place of one that was refused; null when there is nothing else. */
  renewed(refused: string): Promise<string | null>;
}

type CredentialOptions = Pick<LilacOptions, 'token' | 'session'> & {
  /** Calls without any credential. */
  anonymous: Client;
  retryForMs: number;
};

export function createCredentials({ token, session, anonymous, retryForMs }: CredentialOptions): Credentials {
  const tokens = session && new SessionTokens({ store: session, client: anonymous, retryForMs });
  const given = async () => (typeof token === 'function' ? await token() : (token ?? null));
  return {
    current: async () => (await given()) ?? (tokens ? await tokens.current() : null),
    async renewed(refused) {
      const again = await given();
      if (again === null) return tokens ? await tokens.renewed(refused) : null;
      return again === refused ? null : again;
    },
  };
}
