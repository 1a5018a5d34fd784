import type { VcsConnectionRow } from '../../../db/schema.ts';
import { createSemaphore, type Semaphore } from '../../../lib/semaphore.ts';
import type { PersonTokens, SignInHost } from '../../../vcs/vcs-host.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { lockConnection, markTrouble, updateTokens } from './connection-store.ts';
import { openTokens, sealTokens } from './seal-tokens.ts';

/** Whoever is given a token has this long for what it is wanted for. */
export const MARGIN_MS = 5 * 60 * 1000;
/** A refresh holds a connection to the store while the host thinks: a slow host must not take them all. */
const REFRESHES_AT_A_TIME = 3;

const TAKEN_BACK = 'The host no longer takes it: access was taken back there, or has lapsed. Connect again.';

export interface FreshTokenOptions {
  /** A token that the host has refused though it had time left: it is replaced, or the connection is in trouble. */
  refused?: string;
}

/**
 * An access token that is good for some minutes at least. Null when the person must connect again, which `trouble`
 * then says, or when the operator has taken the host away. A host that does not answer is a `HostUnavailable`, unless
 * the token that is there will still do.
 */
export async function freshToken(
  deps: VcsDeps,
  connection: VcsConnectionRow,
  { refused }: FreshTokenOptions = {},
): Promise<string | null> {
  if (connection.trouble !== null) return null;
  const tokens = openTokens(deps.keyring, connection);
  if (!isDue(deps, tokens, refused)) return tokens.accessToken;
  const { underWay, turns } = refreshesOf(deps);
  const key = `${connection.id} ${refused ?? ''}`;
  const known = underWay.get(key);
  if (known) return known;
  const refresh = turns.run(() => refreshOnce(deps, connection, refused)).finally(() => underWay.delete(key));
  underWay.set(key, refresh);
  return refresh;
}

/**
 * One at a time, whatever process asks: refresh tokens rotate, and some hosts end what was allowed when an old one is
 * used. Who waited finds what the first one got. It is not the caller's to abort: what the host has given must be kept.
 */
async function refreshOnce(
  deps: VcsDeps,
  { id: connectionId, provider }: VcsConnectionRow,
  refused: string | undefined,
): Promise<string | null> {
  const { keyring, log } = deps;
  const host: SignInHost | null =
    provider === 'provider1' ? await deps.hosts.app() : await deps.hosts.connection(provider);
  return deps.store.db.transaction().execute(async (tx) => {
    const row = await lockConnection(tx, connectionId);
    if (!row || row.trouble !== null) return null;
    const tokens = openTokens(keyring, row);
    if (!isDue(deps, tokens, refused)) return tokens.accessToken;
    const current = isGood(deps, tokens) && tokens.accessToken !== refused ? tokens.accessToken : null;
    if (!host) return current;
    let renewed: PersonTokens | null = null;
    try {
      if (tokens.refreshToken !== null) renewed = await host.refreshTokens(tokens.refreshToken);
    } catch (err) {
      if (current === null) throw err;
      log.warn({ err, connectionId, provider }, 'access at a repository host was not refreshed; it still works');
      return current;
    }
    if (!renewed) {
      await markTrouble(tx, { connectionId, trouble: TAKEN_BACK });
      log.info({ connectionId, provider }, 'a repository host no longer takes a connection');
      return null;
    }
    // A host that names no new refresh token leaves the old one in force.
    const kept = { ...renewed, refreshToken: renewed.refreshToken ?? tokens.refreshToken };
    await updateTokens(tx, { connectionId, tokens: sealTokens(keyring, connectionId, kept) });
    return kept.accessToken;
  });
}

function isDue({ clock }: Pick<VcsDeps, 'clock'>, tokens: PersonTokens, refused: string | undefined): boolean {
  if (tokens.accessToken === refused) return true;
  return tokens.expiresAt !== null && tokens.expiresAt - MARGIN_MS <= clock.now().getTime();
}

function isGood({ clock }: Pick<VcsDeps, 'clock'>, { expiresAt }: PersonTokens): boolean {
  return expiresAt === null || expiresAt > clock.now().getTime();
}

interface Refreshes {
  /** By connection. In one process, those who ask at the same time wait for the same refresh, not for the row. */
  underWay: Map<string, Promise<string | null>>;
  turns: Semaphore;
}

const refreshes = new WeakMap<VcsDeps['store'], Refreshes>();

function refreshesOf({ store }: Pick<VcsDeps, 'store'>): Refreshes {
  const known = refreshes.get(store);
  if (known) return known;
  const own = { underWay: new Map(), turns: createSemaphore(REFRESHES_AT_A_TIME) };
  refreshes.set(store, own);
  return own;
}
