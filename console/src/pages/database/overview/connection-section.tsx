import { useState } from 'react';
import { copyText } from '../../../lib/copy-text.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../parts/button.tsx';
import { Copyable } from '../../../parts/copyable.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { connectionParts, waysToConnect } from './how-to-connect.ts';

/** Asked for when somebody wants to see it, and forgotten when they have. */
export function ConnectionSection({ database }: { database: Database }) {
  const addressed = useAddressed(database);
  const [shown, setShown] = useState<string | null>(null);
  const ask = async () =>
    (await browserSession.call('databases.connection-string', { body: addressed })).connectionString;
  const show = useAction(async () => setShown(await ask()));
  const copy = useAction(async () => {
    if (!(await copyText(await ask()))) setShown(await ask());
  });
  const about = database.public_ip_enabled
    ? 'What clients and your code connect with. The password is in it.'
    : 'Only your own applications here reach it: connect one below, and it has this in a variable.';
  if (database.status === 'provisioning') {
    return (
      <Section title="Connecting">
        <p className="meta">What to connect with is shown as soon as it is set up.</p>
      </Section>
    );
  }
  return (
    <Section title="Connecting" about={about}>
      {shown === null ? (
        <p className="database-hidden mono" aria-label="Connection string, hidden">
          {database.database_type}://••••••••
        </p>
      ) : (
        <Shown database={database} connectionString={shown} />
      )}
      <ErrorNotice error={show.error ?? copy.error} />
      <div className="actions">
        {shown === null ? (
          <Button isBusy={show.isBusy} onClick={() => void show.run()}>
            Show the connection string
          </Button>
        ) : (
          <Button onClick={() => setShown(null)}>Hide it again</Button>
        )}
        {shown === null && (
          <Button isBusy={copy.isBusy} onClick={() => void copy.run()}>
            Copy it
          </Button>
        )}
        <span className="done" role="status">
          {shown === null && copy.isDone && 'Copied'}
        </span>
      </div>
    </Section>
  );
}

function Shown({ database, connectionString }: { database: Database; connectionString: string }) {
  const { host, port, user, password, database: inner } = connectionParts(connectionString);
  return (
    <>
      <Copyable label="Connection string" value={connectionString} />
      <div className="columns">
        <Copyable label="Host" value={host} />
        <Copyable label="Port" value={port} />
        <Copyable label="Database" value={inner} />
        <Copyable label="User" value={user} />
      </div>
      <Copyable label="Password" value={password} />
      {waysToConnect(database.database_type, connectionString).map(({ name, code, hint }) => (
        <details key={name} className="folded">
          <summary>With {name}</summary>
          <pre className="snippet" tabIndex={0} aria-label={`With ${name}`}>
            <code>{code}</code>
          </pre>
          {hint && <p className="hint">{hint}</p>}
        </details>
      ))}
    </>
  );
}
