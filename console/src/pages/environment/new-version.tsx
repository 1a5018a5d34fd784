import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { NewVersionDialog } from './new-version-dialog.tsx';

/** A new archive for an environment that is deployed from one: what most come for. */
export function NewVersion({ environment }: { environment: { id: string; name: string } }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Upload a new version
      </Button>
      {isOpen && <NewVersionDialog environment={environment} onClose={() => setOpen(false)} />}
    </>
  );
}
