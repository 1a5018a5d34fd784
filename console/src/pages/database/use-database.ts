import { useState } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { type Loaded, useCall } from '../../lib/use-call.ts';
import { useStream } from '../../lib/use-stream.ts';
import { useMember } from '../../shell/member-context.ts';
import { type Database, isMoving } from '../databases/describe-database.ts';

export type Progress = OutputOf<'databases.stream'>['status'];

interface FollowedDatabase extends Loaded<Database> {
  /** How far what is being done to it is; null while nothing is, or nothing was told yet. */
  progress: Progress | null;
}

const REFRESH_MS = 15_000;

/** A database as it is, with every step of what is being done to it. */
export function useDatabase(databaseId: string): FollowedDatabase {
  const targetOrganisationId = useMember().organisation.id;
  const address = { targetOrganisationId, databaseId };
  const loaded = useCall('databases.get', { body: address }, { refreshMs: REFRESH_MS });
  const [progress, setProgress] = useState<Progress | null>(null);
  const isFollowed = loaded.data !== undefined && isMoving(loaded.data);
  useStream('databases.stream', isFollowed ? { params: address } : null, ({ event, data }) => {
    setProgress(event === 'status' ? data : null);
    if (event !== 'status') loaded.reload();
  });
  return { ...loaded, progress: isFollowed ? progress : null };
}
