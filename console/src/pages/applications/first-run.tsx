import type { ReactNode } from 'react';
import { Link } from '../../lib/router.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { useIsOwner, usePermission } from '../../shell/member-context.ts';
import { TerminalLines } from './terminal-lines.tsx';

/** Before anything runs: the ways to get something to run, the quickest first. */
export function FirstRun() {
  const mayCreate = usePermission('create:projects');
  return (
    <>
      <section className="card empty" aria-labelledby="first-run">
        <h2 id="first-run">Nothing runs here yet</h2>
        <p className="about">
          An application is a repository or a zip that Lilac builds and puts at an address of its own: a site of files,
          or a server.
        </p>
        {mayCreate ? (
          <div className="actions">
            <Link className="button button-primary" href="/new?from=sample">
              Deploy a sample
            </Link>
            <span className="meta">A small site, to see how it goes. You can delete it afterwards.</span>
          </div>
        ) : (
          <p>An owner or an admin of the organisation can deploy one.</p>
        )}
      </section>
      {mayCreate && <Ways />}
      <Besides />
    </>
  );
}

function Ways() {
  return (
    <div className="ways">
      <Way icon="repositories" title="From a repository">
        <p className="about">Built from its branch, and again with every push.</p>
        <Link className="button button-plain" href="/new?from=repository">
          Choose a repository
        </Link>
      </Way>
      <Way icon="folder" title="From a zip or a folder">
        <p className="about">What is on this computer, without a repository.</p>
        <Link className="button button-plain" href="/new?from=zip">
          Choose files
        </Link>
      </Way>
      <Way icon="keys" title="From a terminal">
        <TerminalLines />
      </Way>
    </div>
  );
}

function Way({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <section className="card way" aria-label={title}>
      <h2 className="with-icon">
        <Icon name={icon} /> {title}
      </h2>
      {children}
    </section>
  );
}

function Besides() {
  const isOwner = useIsOwner();
  const mayCreateKeys = usePermission('update:organisations');
  return (
    <section className="card" aria-labelledby="besides">
      <h2 id="besides">Besides, you can</h2>
      <ul className="next">
        {isOwner && (
          <li>
            <Link href="/members">Invite the people</Link> you work with.
          </li>
        )}
        {mayCreateKeys && (
          <li>
            <Link href="/keys">Create an API key</Link> for your scripts.
          </li>
        )}
        <li>
          <Link href="/account">Add a second factor</Link> to your account.
        </li>
      </ul>
    </section>
  );
}
