import type { OutputOf } from '../../../lib/api-types.ts';
import { formatSize } from '@lilac/contract/format-size';
import { Badge, type BadgeTone } from '../../../parts/badge.tsx';
import { Time } from '../../../parts/time.tsx';
import { usePermission } from '../../../shell/member-context.ts';
import type { Database } from '../../databases/describe-database.ts';
import { RestoreButton } from './restore-button.tsx';
import { showMarks } from '../../../lib/visible-name.ts';

export type Backup = OutputOf<'databases.backups'>[number];

const tones: Record<Backup['status'], BadgeTone> = {
  waiting: 'neutral',
  writing: 'busy',
  ready: 'good',
  failed: 'bad',
};

export function BackupRow({ backup, database }: { backup: Backup; database: Database }) {
  const { automatic, status, size, error, started_at, expires_at } = backup;
  const canRestore = usePermission('create:projects') && status === 'ready';
  return (
    <li className="row">
      <div className="row-main">
        <strong>
          <Time at={started_at} />
        </strong>
        <p className="meta">
          {automatic ? 'made by itself' : 'made by hand'}
          {size !== null && ` · ${formatSize(size)}`}
          {expires_at && (
            <>
              {' '}
              · goes <Time at={expires_at} />
            </>
          )}
        </p>
        {error && <p className="database-error meta">{showMarks(error)}</p>}
      </div>
      <Badge tone={tones[status]}>{status}</Badge>
      {canRestore && <RestoreButton backup={backup} database={database} />}
    </li>
  );
}
