import { type DragEvent, useRef, useState } from 'react';
import { formatSize } from '../../../lib/format-size.ts';
import { uploadArchive } from '../../../lib/upload-archive.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { type Database, isMoving } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { dumpTypeOf } from './dump-type.ts';
import { LastImport } from './last-import.tsx';

interface ImportSectionProps {
  database: Database;
  onChanged: () => void;
}

/** A file is chosen or dropped, sent, and run; how far that is is said at the top of the page, and here how it ends. */
export function ImportSection({ database, onChanged }: ImportSectionProps) {
  const addressed = useAddressed(database);
  const [file, setFile] = useState<File | null>(null);
  const [percent, setPercent] = useState(0);
  const start = useAction(async (chosen: File) => {
    const { targetOrganisationId } = addressed;
    setPercent(0);
    const { uploadId } = await uploadArchive(chosen, {
      targetOrganisationId,
      fileName: chosen.name,
      contentType: dumpTypeOf(chosen.name) ?? 'application/sql',
      onProgress: (sent, total) => setPercent(Math.floor((100 * sent) / Math.max(1, total))),
    });
    await browserSession.call('databases.import', { body: { ...addressed, uploadId } });
    setFile(null);
    scrollTo({ top: 0 });
    onChanged();
  });
  const isKnown = file === null || dumpTypeOf(file.name) !== null;
  return (
    <Section
      title="Import"
      about="Runs a dump in this database: all of it, or nothing where it fails. Tables that are there already make it fail."
    >
      <FileDrop onFile={setFile} isDisabled={start.isBusy} />
      {!isMoving(database) && !start.isBusy && <LastImport database={database} isAwaited={start.isDone} />}
      {file && (
        <p role="status">
          <strong className="break">{file.name}</strong> <span className="meta">{formatSize(file.size)}</span>
        </p>
      )}
      {!isKnown && (
        <p className="notice notice-error" role="alert">
          A dump is a file of SQL: its name ends with .sql or .sql.gz.
        </p>
      )}
      {start.isBusy && (
        <div className="meter" role="progressbar" aria-label="Sending the file" aria-valuenow={percent}>
          <div style={{ width: `${percent}%` }} />
        </div>
      )}
      <ErrorNotice error={start.error} />
      {file && isKnown && (
        <div className="actions">
          <Button look="primary" isBusy={start.isBusy} onClick={() => void start.run(file)}>
            {start.isBusy ? `Sending, ${percent}%` : `Import into ${database.name}`}
          </Button>
        </div>
      )}
    </Section>
  );
}

function FileDrop({ onFile, isDisabled }: { onFile: (file: File) => void; isDisabled: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file && !isDisabled) onFile(file);
  };
  return (
    <div
      className={isOver ? 'dump-drop dump-drop-over' : 'dump-drop'}
      role="group"
      aria-label="File to import"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to import"
        accept=".sql,.gz,application/sql,application/gzip"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onFile(file);
          // The same file can be chosen again after it was changed.
          target.value = '';
        }}
      />
      <p>Drop a .sql or .sql.gz file here</p>
      <Button disabled={isDisabled} onClick={() => input.current?.click()}>
        Choose a file
      </Button>
    </div>
  );
}
