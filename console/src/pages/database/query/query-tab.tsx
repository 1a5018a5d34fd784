import '../cells/cells.css';
import './query.css';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { usePermission } from '../../../shell/member-context.ts';
import type { Database } from '../../databases/describe-database.ts';
import { chosenStatement } from './chosen-statement.ts';
import { QueryHistory } from './query-history.tsx';
import { recall, remember } from './query-memory.ts';
import { QueryResultView } from './query-result.tsx';
import type { QueryRunner } from './use-query-runner.ts';
import { isLeaveKeptAfterEdit, isLeaveKeptAfterRun } from './write-leave.ts';

/** One statement, what it answers, and those that were run before. */
export function QueryTab({ database, runner }: { database: Database; runner: QueryRunner }) {
  const id = useId();
  const canChange = usePermission('update:projects');
  const [statement, setStatement] = useState(() => recall(database.id).draft);
  const [mayWrite, setMayWrite] = useState(false);
  const editor = useRef<HTMLTextAreaElement>(null);
  const write = (text: string) => {
    setStatement(text);
    remember(database.id, { draft: text });
    if (!isLeaveKeptAfterEdit(statement, text)) setMayWrite(false);
  };
  const choose = (text: string) => {
    write(text);
    // One that was run before may be much like this one, and is still another.
    setMayWrite(false);
  };
  const run = async (chosen = statement) => {
    const ended = await runner.run(chosen, !mayWrite);
    if (ended && mayWrite && !isLeaveKeptAfterRun(ended.failure)) setMayWrite(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void run(chosenStatement(statement, event.currentTarget));
  };
  return (
    <>
      <section className="card" aria-label="Statement">
        <div className="field">
          <label htmlFor={id}>SQL</label>
          <textarea
            ref={editor}
            id={id}
            className="mono statement"
            rows={6}
            value={statement}
            placeholder="select …"
            spellCheck={false}
            autoCapitalize="off"
            aria-describedby={`${id}-hint`}
            onChange={(event) => write(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <p id={`${id}-hint`} className="hint">
            One statement; it runs for 30 seconds at most and answers 1,000 rows at most. Ctrl-Enter runs it, or only
            what is selected of it.
          </p>
        </div>
        {canChange && (
          <label className="check">
            <input type="checkbox" checked={mayWrite} onChange={(event) => setMayWrite(event.target.checked)} />
            <span>
              Let it change data
              <span className="hint">
                {' '}
                – without this, whatever would change something is refused. It is for one run of this statement.
              </span>
            </span>
          </label>
        )}
        <div className="actions">
          <Button look={mayWrite ? 'danger' : 'primary'} isBusy={runner.isRunning} onClick={() => void run()}>
            {mayWrite ? 'Run with changes' : 'Run'}
          </Button>
          {runner.isRunning && (
            // Not to the button that runs it again: Enter may be pressed once more.
            <Button heir={editor} onClick={() => void runner.cancel()}>
              Cancel
            </Button>
          )}
          <span role="status" className="meta">
            {runner.isRunning && 'Running…'}
          </span>
        </div>
        <ErrorNotice error={runner.error} />
      </section>
      {runner.result && <QueryResultView result={runner.result} words={runner.words} />}
      <QueryHistory entries={runner.history} onChoose={choose} />
    </>
  );
}
