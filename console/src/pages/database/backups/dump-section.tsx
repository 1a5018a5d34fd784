import { useState } from 'react';
import { formatSize } from '../../../lib/format-size.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/section.tsx';
import { Time } from '../../../parts/time.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { askForDump, type Dump } from './ask-for-dump.ts';

/** All of it in a file to take away. */
export function DumpSection({ database }: { database: Database }) {
  const body = useAddressed(database);
  const [dump, setDump] = useState<Dump | null>(null);
  const make = useAction(async () => {
    setDump(null);
    setDump(await askForDump(() => browserSession.call('databases.dump', { body })));
  });
  return (
    <Section title="Dump" about="All of it as SQL in one compressed file, which psql, mariadb and an import here read.">
      {make.isBusy && (
        <div className="meter meter-endless" role="progressbar" aria-label="Writing the dump">
          <div />
        </div>
      )}
      {dump && (
        <p className="notice notice-good" role="status">
          The dump is whole: {formatSize(dump.size)}. It can be downloaded until <Time at={dump.expiresAt} />.
        </p>
      )}
      <ErrorNotice error={make.error} />
      <div className="actions">
        {dump && (
          <a className="button button-primary" href={dump.downloadUrl} download>
            Download the dump
          </a>
        )}
        <Button isBusy={make.isBusy} onClick={() => void make.run()}>
          {make.isBusy ? 'Writing…' : dump ? 'Make another' : 'Make a dump'}
        </Button>
      </div>
    </Section>
  );
}
