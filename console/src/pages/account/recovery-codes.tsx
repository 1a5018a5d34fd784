import { useState } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { Refusal } from '../../lib/refusal.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';

/** Shown once: each replaces the app's code a single time. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [isKept, setKept] = useState(false);
  const text = `${codes.join('\n')}\n`;
  const copy = useAction(async () => {
    if (!(await copyText(text))) throw new Refusal('The browser did not let them be copied. Download them instead.');
    setKept(true);
  });
  const save = () => {
    download(text);
    setKept(true);
  };
  return (
    <ShownOnce
      title="Recovery codes"
      about="Keep them somewhere safe. Each lets you in once when the app is lost, and they are not shown again."
      isKept={isKept}
      loss={{ what: 'The codes were not copied, and are not shown again.', leaving: 'Leave and lose them' }}
      actions={
        <>
          <Button look="primary" onClick={() => void copy.run()}>
            {copy.isDone ? 'Copied' : 'Copy them'}
          </Button>
          <Button onClick={save}>Download them</Button>
        </>
      }
      done="I have kept them"
      onDone={onDone}
    >
      <ol className="codes mono" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <ErrorNotice error={copy.error} />
    </ShownOnce>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: 'lilac-recovery-codes.txt' });
  link.click();
  URL.revokeObjectURL(url);
}
