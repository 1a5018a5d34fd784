import { formatDuration } from '@lilac/contract/format-duration';
import { formatSize } from '@lilac/contract/format-size';
import { useNow } from '../../../lib/use-now.ts';
import { useSeconds } from '../../../lib/use-seconds.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { askForDump, type Dump } from './ask-for-dump.ts';
import { makeDump, useDumpWork } from './dump-work.ts';

/** All of it in a file to take away. */
export function DumpSection({ database }: { database: Database }) {
  const body = useAddressed(database);
  const { begunAtMs, dump: made, error } = useDumpWork(database.id);
  const isBusy = begunAtMs !== null;
  const client = database.database_type === 'postgresql' ? 'psql' : 'mariadb';
  const now = useNow();
  const dump = made && Date.parse(made.expiresAt) > now ? made : null;
  const make = () => makeDump(database.id, () => askForDump(() => browserSession.call('databases.dump', { body })));
  return (
    <Section title="Dump" about={`All of it as SQL in one compressed file, which ${client} and an import here read.`}>
      {isBusy && <DumpProgress begunAtMs={begunAtMs} />}
      {dump && (
        <p className="notice notice-good" role="status">
          {describeDump(dump, now)}
        </p>
      )}
      <ErrorNotice error={error} />
      <div className="actions">
        {dump && (
          <a className="button button-primary" href={dump.downloadUrl} download>
            Download the dump
          </a>
        )}
        <Button isBusy={isBusy} onClick={() => void make()}>
          {isBusy ? 'Writing…' : dump ? 'Make another' : 'Make a dump'}
        </Button>
      </div>
    </Section>
  );
}

/** How much there will be nobody knows before it is written. */
function DumpProgress({ begunAtMs }: { begunAtMs: number }) {
  const now = useSeconds(true);
  return (
    <>
      <div className="meter meter-endless" role="progressbar" aria-label="Writing the dump">
        <div />
      </div>
      <p className="hint">
        Writing for {formatDuration(Math.max(0, now - begunAtMs))}. You can leave this page: it goes on, and is here
        when you come back.
      </p>
    </>
  );
}

function describeDump({ size, expiresAt }: Dump, now: number): string {
  const minutes = Math.max(1, Math.round((Date.parse(expiresAt) - now) / 60_000));
  const rest = minutes === 1 ? 'minute' : `${minutes} minutes`;
  return `The dump is ready: ${formatSize(size)}. It can be downloaded for another ${rest}.`;
}
