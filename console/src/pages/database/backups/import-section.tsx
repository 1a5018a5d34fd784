import { type DragEvent, useRef, useState } from 'react';
import { formatSize } from '@lilac/contract/format-size';
import { Button } from '../../../parts/button.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/section.tsx';
import { type Database, isMoving } from '../../databases/describe-database.ts';
import { dumpTypeOf } from './dump-type.ts';
import { LastImport } from './last-import.tsx';
import { useImport } from './use-import.ts';
import { Name } from '../../../parts/name.tsx';
import { showMarks } from '../../../lib/visible-name.ts';

interface ImportSectionProps {
  database: Database;
  onChanged: () => void;
}

/** A file is chosen or dropped, sent, and run; how far that is is said at the top of the page, and here how it ends. */
export function ImportSection({ database, onChanged }: ImportSectionProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { file, percent, error, awaitedUploadId, choose, run, stop } = useImport(database, () => {
    scrollTo({ top: 0 });
    onChanged();
  });
  const isSending = percent !== null;
  const cancel = () => {
    stop();
    button.current?.focus();
  };
  const isKnown = file === null || dumpTypeOf(file.name) !== null;
  return (
    <Section
      title="Import"
      about="Runs a dump in this database: all of it, or nothing where it fails. Tables that are there already make it fail. It cannot be cancelled once it runs: back up first what you may want to go back to."
    >
      <FileDrop onFile={choose} isDisabled={isSending} />
      {!isMoving(database) && !isSending && <LastImport database={database} awaitedUploadId={awaitedUploadId} />}
      {file && (
        <p role="status">
          <strong className="break">
            <Name of={file.name} />
          </strong>{' '}
          <span className="meta">{formatSize(file.size)}</span>
        </p>
      )}
      {!isKnown && (
        <p className="notice notice-error" role="alert">
          A dump is a file of SQL: its name ends with .sql or .sql.gz.
        </p>
      )}
      {isSending && (
        <>
          <div className="meter" role="progressbar" aria-label="Sending the file" aria-valuenow={percent}>
            <div style={{ width: `${percent}%` }} />
          </div>
          <p className="hint">
            You can go to other pages: it goes on, and is here when you come back. Closing the console ends it.
          </p>
        </>
      )}
      <ErrorNotice error={error} />
      {file && isKnown && (
        <div className="actions">
          <Button ref={button} look="primary" isBusy={isSending} onClick={() => void run(file)}>
            {isSending ? `Sending, ${percent}%` : `Import into ${showMarks(database.name)}`}
          </Button>
          {/* What is sent is run at once, and runs to its end. */}
          {isSending && (
            <Button disabled={percent === 100} onClick={cancel}>
              Cancel
            </Button>
          )}
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
