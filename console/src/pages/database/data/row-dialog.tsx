import { useEffect, useRef, useState } from 'react';
import { requestClose } from '../../../lib/request-close.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Form } from '../../../parts/form.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import type { Column } from './data-tab.tsx';
import { cellIn, changedValues, draftOf, isTouched, keyOf, nameRow, type Row } from './row-draft.ts';
import { RowField } from './row-field.tsx';

interface RowDialogProps {
  inTable: { targetOrganisationId: string; databaseId: string; schema: string; table: string };
  /** What the table is called. */
  title: string;
  columns: readonly Column[];
  /** Null for a new one. */
  row: Row | null;
  onClose: () => void;
  onChanged: () => void;
}

const lost = {
  title: 'Close without saving?',
  what: 'What you changed in the row is lost.',
  leaving: 'Close and lose it',
};

/** One row: what is in it, and what it is to be. */
export function RowDialog({ inTable, title, columns, row, onClose, onChanged }: RowDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const [draft, setDraft] = useState(() => draftOf(columns, row));
  const key = row && keyOf(columns, row);
  const end = () => {
    dialog.current?.close();
    onChanged();
  };
  const save = async () => {
    const values = changedValues(columns, draft, row);
    const isSame = row !== null && Object.keys(values).length === 0;
    const change = key ? ({ operation: 'update', key, values } as const) : ({ operation: 'insert', values } as const);
    if (!isSame) await browserSession.call('databases.explorer.row', { body: { ...inTable, ...change } });
    end();
  };
  const remove = async () => {
    if (!key) return;
    await browserSession.call('databases.explorer.row', { body: { ...inTable, operation: 'delete', key } });
  };
  return (
    <Dialog
      dialog={dialog}
      title={row ? `Edit a row of ${title}` : `Insert a row into ${title}`}
      isWide
      onClose={onClose}
    >
      <Form
        label="Row"
        submit={row ? 'Save' : 'Insert'}
        onSubmit={save}
        unsaved={isTouched(columns, draft, row) && lost}
        actions={
          <>
            <Button onClick={() => requestClose(dialog.current)}>Cancel</Button>
            {key && (
              <ConfirmButton
                action="Delete"
                subject={nameRow(key)}
                question={`Delete ${nameRow(key)}?`}
                consequence="It is gone from the table for good."
                look="danger"
                onConfirm={remove}
                onConfirmed={end}
              />
            )}
          </>
        }
      >
        {columns.map((column) => (
          <RowField
            key={column.name}
            column={column}
            original={row && cellIn(row, column.name)}
            isNew={row === null}
            field={draft[column.name]!}
            onChange={(field) => setDraft((before) => ({ ...before, [column.name]: field }))}
          />
        ))}
      </Form>
    </Dialog>
  );
}
