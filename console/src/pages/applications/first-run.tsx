import type { ReactNode } from 'react';
import { type Dropped, keepDropped } from '../../lib/dropped-file.ts';
import { Link, navigate } from '../../lib/router.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { usePermission } from '../../shell/member-context.ts';
import { Besides } from './besides.tsx';
import { SampleButton } from './sample-button.tsx';
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
        {mayCreate ? <SampleButton /> : <p>An owner or an admin of the organisation can deploy one.</p>}
      </section>
      {mayCreate && <Ways />}
      <Besides />
    </>
  );
}

/** The files go along to the page that asks the rest. */
function goOn(dropped: Dropped): void {
  keepDropped(dropped);
  navigate('/new?from=zip');
}

function Ways() {
  return (
    <div className="ways">
      <Way icon="repositories" title="From a repository">
        <p className="about">Built from its branch; where its host is linked, again with every push.</p>
        <Link className="button button-plain" href="/new?from=repository">
          Choose a repository
        </Link>
      </Way>
      <Way icon="folder" title="From a zip or a folder">
        <DropZone onDropped={goOn} />
      </Way>
      <Way icon="terminal" title="From a terminal">
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
