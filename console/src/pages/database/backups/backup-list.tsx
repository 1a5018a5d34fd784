import { useState } from 'react';
import { useAction } from '../../../lib/use-action.ts';
import { useCall } from '../../../lib/use-call.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { usePermission } from '../../../shell/member-context.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { type Backup, BackupRow } from './backup-row.tsx';

const WRITING_MS = 1500;
const SETTLED_MS = 30_000;

export function BackupList({ database }: { database: Database }) {
  const body = useAddressed(database);
  const canChange = usePermission('update:projects');
  const [refreshMs, setRefreshMs] = useState(SETTLED_MS);
  const backups = useCall('databases.backups', { body }, { refreshMs });
  const wantedMs = backups.data?.some(isUnderWay) ? WRITING_MS : SETTLED_MS;
  if (wantedMs !== refreshMs) setRefreshMs(wantedMs);
  const start = useAction(async () => {
    await browserSession.call('databases.backup', { body });
    backups.reload();
  });
  return (
    <Section
      title="Backups"
      about="Made automatically every day. Restoring creates a new database; this one stays as it is."
    >
      {canChange && (
        <div className="actions">
          <Button isBusy={start.isBusy} onClick={() => void start.run()}>
            Back up now
          </Button>
        </div>
      )}
      <ErrorNotice error={start.error} />
      <Loading of={backups}>
        {(list) =>
          list.length === 0 ? (
            <p className="meta">None yet.</p>
          ) : (
            <ul className="rows" aria-label="Backups" aria-live="polite">
              {list.map((backup) => (
                <BackupRow key={backup.id} backup={backup} database={database} />
              ))}
            </ul>
          )
        }
      </Loading>
    </Section>
  );
}

const isUnderWay = ({ status }: Backup) => status === 'waiting' || status === 'writing';
