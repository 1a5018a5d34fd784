import './backups.css';
import { useFlag } from '../../../lib/use-flag.ts';
import { Loading } from '../../../parts/loading.tsx';
import { usePermission } from '../../../shell/member-context.ts';
import type { Database } from '../../databases/describe-database.ts';
import { BackupList } from './backup-list.tsx';
import { DumpSection } from './dump-section.tsx';
import { ImportSection } from './import-section.tsx';

export function BackupsTab({ database, onChanged }: { database: Database; onChanged: () => void }) {
  const dumps = useFlag('database_dump');
  const canChange = usePermission('update:projects');
  const canUpload = usePermission('create:projects');
  return (
    <>
      <BackupList database={database} />
      <Loading of={dumps}>
        {(hasDumps) => (
          <>
            {hasDumps && <DumpSection database={database} />}
            {hasDumps && canChange && canUpload && <ImportSection database={database} onChanged={onChanged} />}
          </>
        )}
      </Loading>
    </>
  );
}
