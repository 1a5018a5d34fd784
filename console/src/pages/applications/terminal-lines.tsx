import { useState } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { Link } from '../../lib/router.tsx';
import { Button } from '../../parts/button.tsx';

/** What to type in a terminal, for this platform. */
export function TerminalLines() {
  const [isCopied, setCopied] = useState(false);
  const lines = [
    `export LILAC_API_URL=${location.origin}`,
    'export LILAC_TOKEN=lc_…',
    'npx lilac apps create my-site https://github.com/me/my-site',
  ].join('\n');
  return (
    <>
      <p className="about">
        With an <Link href="/keys">API key</Link> in place of <code>lc_…</code>
      </p>
      <pre className="terminal" tabIndex={0} aria-label="Commands">
        {lines}
      </pre>
      <Button onClick={() => void copyText(lines).then(setCopied)} aria-label="Copy the commands">
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  );
}
