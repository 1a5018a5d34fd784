import type { PushStatus } from '@lilac/contract/states';
import type { Db } from '../../../db/pool.ts';
import type { ApplicationRow } from '../../../db/schema.ts';
import { whatToMend } from '../access/linked-trouble.ts';
import { findPushStanding } from './hook-store.ts';

export interface PushStanding {
  status: PushStatus;
  /** For people: why not, and what to do. */
  trouble: string | null;
}

type Application = Pick<ApplicationRow, 'id' | 'organisation_id' | 'source_type' | 'git_provider' | 'repository_path'>;

const OFF: PushStanding = { status: 'off', trouble: null };

/** Whether pushes of an application's repository are deployed by themselves, as far as the platform knows. */
export async function pushStandingOf(db: Db, application: Application): Promise<PushStanding> {
  const found = application.source_type === 'vcs' ? await findPushStanding(db, application.id) : null;
  if (!found?.wantsPushes) return OFF;
  if (!found.isLinked) return { status: 'failed', trouble: await notLinked(db, application) };
  if (found.trouble !== null) return { status: 'failed', trouble: found.trouble };
  const isReady = application.git_provider === 'provider1' ? found.isKnown : found.hasHook;
  return { status: isReady ? 'ready' : 'waiting', trouble: null };
}

async function notLinked(db: Db, application: Application): Promise<string> {
  const { organisation_id: organisationId, git_provider: provider, repository_path: path } = application;
  const account = path?.split('/', 1)[0] ?? 'its account';
  const remedy =
    provider === 'provider1'
      ? `No installation at ${account} is linked to this organisation. Install the app there with "lilac vcs install".`
      : `No connection is linked to this organisation. Let the platform in with "lilac ${provider} connect".`;
  return `Pushes are not deployed by themselves. ${await whatToMend(db, { organisationId, provider, account }, remedy)}`;
}
