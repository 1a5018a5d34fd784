import { MAX_STORAGE_GB } from '@lilac/contract/storage-limits';
import { useRef } from 'react';
import { formatAbsolute } from '../../../lib/format-time.ts';
import { showMarks } from '../../../lib/visible-name.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Field } from '../../../parts/field.tsx';
import { Form, type FormValues } from '../../../parts/form.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { whileHere } from '../../../shell/lead-on.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import type { Backup } from './backup-row.tsx';
import { Name } from '../../../parts/name.tsx';

/** Makes a new database from a backup, and goes there. */
export function RestoreButton({ backup, database }: { backup: Backup; database: Database }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const addressed = useAddressed(database);
  const restore = async ({ name = '', storageGb }: FormValues) => {
    const body = { ...addressed, backupId: backup.id, name, storageGb: Number(storageGb) };
    const leadOn = whileHere();
    const { id } = await browserSession.call('databases.restore', { body });
    dialog.current?.close();
    const said = `The backup is being restored into ${showMarks(name)}.`;
    leadOn(`/databases/${encodeURIComponent(id)}`, { said, shows: true });
  };
  const moment = formatAbsolute(backup.started_at);
  return (
    <>
      <Button onClick={() => dialog.current?.showModal()} aria-label={`Restore the backup of ${moment}`}>
        Restore
      </Button>
      <Dialog dialog={dialog} title={`Restore the backup of ${moment}`}>
        <p className="about">
          A new database is made with what was in “<Name of={database.name} />” then, with an address and a password of
          its own.
        </p>
        <Form
          label="Restore"
          submit="Restore into a new database"
          onSubmit={restore}
          actions={<Button onClick={() => dialog.current?.close()}>Cancel</Button>}
        >
          <Field
            label="Name of the new database"
            name="name"
            defaultValue={`${database.name} restored`.slice(0, 100)}
            maxLength={100}
            autoComplete="off"
            required
          />
          <Field
            label="Storage (GB)"
            name="storageGb"
            type="number"
            min={1}
            max={MAX_STORAGE_GB}
            defaultValue={database.storage_gb}
            required
          />
        </Form>
      </Dialog>
    </>
  );
}
