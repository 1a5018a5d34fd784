import { useState } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { Button } from '../../parts/button.tsx';

/** What to type in a terminal, for this platform. */
export function TerminalLines() {
  const [isCopied, setCopied] = useState(false);
  const lines = [`npx lilac login ${location.origin}`, 'npx lilac deploy ~/my-site'].join('\n');
  return (
    <>
      <p className="about">
        Run these in the folder that Lilac was installed to; <code>~/my-site</code> is the folder to deploy.
      </p>
      <pre className="terminal" tabIndex={0} aria-label="Commands">
        {lines}
      </pre>
      <Button
        onClick={() => void copyText(lines).then(setCopied)}
        aria-label={isCopied ? 'Copied the commands' : 'Copy the commands'}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  );
}
