import { changesBetween, patchBetween, type Variables } from '@lilac/contract/variable-changes';
import { type ReactNode, useRef, useState } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { printEnvText } from '../../lib/env-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { LeaveDialog } from '../leave-dialog.tsx';
import { whileSent } from '../while-sent.ts';
import { ChangeList } from './changes.tsx';
import { VariableRows } from './rows.tsx';
import { countChanges, excessOf, followNews, problemsOf, rowsOf, variablesOf } from './rules.ts';

interface VariablesEditorProps {
  /** What is saved now. When it changes, rows that nobody has touched follow. */
  initial: Variables;
  /** Saves what was changed and nothing else, since others may save at the same time; null is what was removed. */
  onSave: (patch: Record<string, string | null>) => Promise<unknown>;
  /** What saving means: when it takes effect. */
  note?: ReactNode;
  isReadOnly?: boolean;
}

/** Shows what would be added, changed and removed before it saves. */
export function VariablesEditor({ initial, onSave, note, isReadOnly = false }: VariablesEditorProps) {
  const { rows, setRows, saved, setSaved } = useRows(initial);
  const dialog = useRef<HTMLDialogElement>(null);
  const editor = useRef<HTMLDivElement>(null);
  const next = variablesOf(rows);
  const changes = changesBetween(saved, next);
  const count = countChanges(changes);
  const hasProblems = problemsOf(rows).size > 0;
  const isTooMuch = excessOf(next) !== null;
  const [round, setRound] = useState(0);
  const save = useAction(async () => {
    await onSave(patchBetween(saved, next));
    setSaved(next);
    setRound(round + 1);
    dialog.current?.close();
  });
  const review = () => {
    const fields = [...(editor.current?.querySelectorAll('textarea') ?? [])];
    // What was typed and not taken yet would not be saved.
    if (fields.every((field) => field.reportValidity())) dialog.current?.showModal();
  };
  const discard = () => {
    setRows(rowsOf(saved));
    setRound(round + 1);
  };
  return (
    <div ref={editor} className="stack">
      {count > 0 && (
        <LeaveDialog
          what={`${count} change${count === 1 ? '' : 's'} to the variables ${count === 1 ? 'is' : 'are'} not saved.`}
          {...(save.isBusy && whileSent)}
        />
      )}
      {rows.length === 0 && <p className="about">No variables yet.</p>}
      <VariableRows {...{ rows, isReadOnly, round }} onChange={setRows} />
      {hasProblems && <p className="notice notice-error">Fix the marked fields before you save.</p>}
      <div className="actions">
        {!isReadOnly && (
          <>
            <Button look="primary" disabled={count === 0 || hasProblems || isTooMuch} onClick={review}>
              {count === 0 ? 'Review changes' : `Review ${count} change${count === 1 ? '' : 's'}`}
            </Button>
            {count > 0 && <Button onClick={discard}>Discard them</Button>}
          </>
        )}
        <CopyVariables variables={next} />
      </div>
      <Dialog dialog={dialog} title="Save these changes?" isWide onClose={save.forget}>
        <ChangeList {...{ changes, before: saved, after: next }} />
        {note && <p className="about">{note}</p>}
        <ErrorNotice error={save.error} />
        <div className="actions">
          <Button look="primary" isBusy={save.isBusy} onClick={() => void save.run()}>
            Save
          </Button>
          <Button onClick={() => dialog.current?.close()}>Keep editing</Button>
        </div>
      </Dialog>
    </div>
  );
}

/** What somebody has typed is kept when news of what is saved come in; the rest follows them. */
function useRows(initial: Variables) {
  const [saved, setSaved] = useState(initial);
  const [told, setTold] = useState(initial);
  const [rows, setRows] = useState(() => rowsOf(initial));
  if (JSON.stringify(initial) !== JSON.stringify(told)) {
    setTold(initial);
    setSaved(initial);
    setRows(followNews(rows, { before: saved, now: initial }));
  }
  return { rows, setRows, saved, setSaved };
}

function CopyVariables({ variables }: { variables: Variables }) {
  const [isCopied, setCopied] = useState(false);
  if (Object.keys(variables).length === 0) return null;
  const copy = async () => setCopied(await copyText(printEnvText(variables)));
  return (
    <>
      <Button onClick={() => void copy()}>Copy as .env</Button>
      <span className="done" role="status">
        {isCopied && 'Copied'}
      </span>
    </>
  );
}
