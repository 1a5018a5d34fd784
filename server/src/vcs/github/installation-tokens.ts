import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { HostRefusal, isOutOfReach } from '../connection/host-refusal.ts';
import type { CallOptions, RepositoryName } from '../vcs-host.ts';
import type { AskGithub } from './github-api.ts';

/** What the platform needs at most, one thing at a time. */
export type Permissions = Partial<Record<'metadata' | 'contents', 'read'> & Record<'statuses', 'write'>>;

export interface TokenRequest {
  installationId: number;
  /** Of this repository only; of all that the installation was given where it is null. */
  repository: RepositoryName | null;
  permissions: Permissions;
}

export interface InstallationToken {
  token: string;
  /** False: the host has just made it, and so has just said that the installation reaches this. */
  isKept: boolean;
}

export interface InstallationTokens {
  /** Null when the installation is gone or suspended, or was not given that repository. */
  find(request: TokenRequest, options?: CallOptions & { isFresh?: boolean }): Promise<InstallationToken | null>;
  /** The host no longer takes it. */
  forget(request: TokenRequest): void;
}

/** A clone may take a while; the host makes tokens for an hour. */
const GOOD_FOR_MS = 10 * 60_000;
const KEPT_AT_MOST = 5000;

const made = z.object({
  token: z.string().min(1),
  expires_at: z.iso.datetime({ offset: true }),
  repositories: z.array(z.object({ full_name: z.string() })).optional(),
});

export function createInstallationTokens(askAsApp: AskGithub, clock: Clock): InstallationTokens {
  const kept = new Map<string, { token: string; expiresAt: number }>();
  const goodOf = (key: string) => {
    const found = kept.get(key);
    return found && found.expiresAt - clock.now().getTime() > GOOD_FOR_MS ? found.token : null;
  };
  return {
    async find(request, { isFresh = false, signal } = {}) {
      const key = keyOf(request);
      const known = isFresh ? null : goodOf(key);
      if (known !== null) return { token: known, isKept: true };
      const answer = await make(askAsApp, request, signal);
      kept.delete(key);
      if (!answer) return null;
      kept.set(key, { token: answer.token, expiresAt: Date.parse(answer.expires_at) });
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT_AT_MOST) break;
        kept.delete(oldest);
      }
      return { token: answer.token, isKept: false };
    },
    forget: (request) => void kept.delete(keyOf(request)),
  };
}

function keyOf({ installationId, repository, permissions }: TokenRequest): string {
  return JSON.stringify([installationId, repository && fullNameOf(repository), permissions]);
}

const fullNameOf = ({ owner, name }: RepositoryName) => `${owner}/${name}`.toLowerCase();

async function make(
  askAsApp: AskGithub,
  { installationId, repository, permissions }: TokenRequest,
  signal: AbortSignal | undefined,
): Promise<z.infer<typeof made> | null> {
  try {
    const { data } = await askAsApp({
      route: 'POST /app/installations/{installation_id}/access_tokens',
      parameters: {
        installation_id: installationId,
        permissions,
        ...(repository && { repositories: [repository.name] }),
      },
      shape: made,
      signal,
    });
    return isFor(data, repository) ? data : null;
  } catch (error) {
    if (!(error instanceof HostRefusal)) throw error;
    if (isOutOfReach(error)) return null;
    if (error.status === 422) return refusedToMake(error, permissions);
    throw error;
  }
}

/**
 * The host is asked for a name within the installation's own account: another account's repository of the same name
 * must not pass for it.
 */
function isFor({ repositories }: z.infer<typeof made>, repository: RepositoryName | null): boolean {
  if (!repository) return true;
  return repositories?.length === 1 && repositories[0]?.full_name.toLowerCase() === fullNameOf(repository);
}

/**
 * The same status stands for a repository that is not given, and for a permission that nobody asked the account for.
 */
function refusedToMake(refusal: HostRefusal, permissions: Permissions): null {
  if (!/permission/i.test(refusal.message)) return null;
  const wanted = Object.entries(permissions).map(([name, level]) => `${name}: ${level}`);
  throw new Fault(
    'CF001',
    `The app at GitHub lacks a permission (${wanted.join(', ')}). The operator adds it in the settings of the app; ` +
      'then the account has to accept it.',
    { cause: refusal },
  );
}
