import type { ReactNode } from 'react';
import { Link } from '../../lib/router.tsx';
import { describeKind } from '../../lib/describe-kind.ts';
import { Icon } from '../../parts/icon.tsx';
import { ServedAndNewest } from '../../parts/served-and-newest.tsx';
import { Sparkline } from '../../parts/sparkline/sparkline.tsx';
import type { SparkPoint } from '../../parts/sparkline/path.ts';
import { StandingBadge } from '../../parts/standing-badge.tsx';
import type { ListedApplication } from './list-request.ts';
import { Name } from '../../parts/name.tsx';
import { showMarks } from '../../lib/visible-name.ts';

interface ApplicationRowProps {
  application: ListedApplication;
  /** The name of the folder it is in. */
  folder: string | null;
  /** Not there until they have come, or where there is no production. */
  points: readonly SparkPoint[] | undefined;
  /** What can be done to it. */
  children: ReactNode;
}

export function ApplicationRow({ application, folder, points, children }: ApplicationRowProps) {
  const { id, name, status, url, last_deployment, live_deployment } = application;
  return (
    <li className="row app-row" aria-label={showMarks(name)}>
      <div className="app-row-name">
        <div>
          <Link href={`/apps/${id}`} className="app-row-link">
            <Name of={name} />
          </Link>{' '}
          <StandingBadge status={status} />
        </div>
        <Address url={url} isServed={live_deployment !== null} isDeleting={status === 'deleting'} />
        <p className="meta">
          {[describeKind(application), folder && `in ${showMarks(folder)}`].filter(Boolean).join(' · ')}
        </p>
      </div>
      <ServedAndNewest
        live={live_deployment}
        newest={last_deployment}
        isRolledBack={live_deployment?.is_rolled_back ?? false}
      />
      <div className="app-row-spark">{points && <Sparkline points={points} />}</div>
      {children}
    </li>
  );
}

/** Where nothing is served, there is nothing to open; and what is being deleted has no address any more. */
function Address({ url, isServed, isDeleting }: { url: string; isServed: boolean; isDeleting: boolean }) {
  if (isDeleting) return <span className="app-row-url meta">Its address is given up.</span>;
  const shown = url.replace(/^https?:\/\//, '');
  if (!isServed) return <span className="app-row-url meta break">{shown}</span>;
  return (
    <a className="app-row-url url-out break" href={url} target="_blank" rel="noreferrer">
      {shown}
      <Icon name="out" />
      <span className="visually-hidden"> (opens a new tab)</span>
    </a>
  );
}
