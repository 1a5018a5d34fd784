import type { PushStatus } from '@lilac/contract/states';
import { describeKind } from '../../lib/describe-kind.ts';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import type { Application } from './application-page.tsx';
import { repositoryName } from './repository-path.ts';
import { Name } from '../../parts/name.tsx';

/** Trouble stands above the page, with what to do. */
const pushes: Record<PushStatus, string> = {
  off: 'not deployed by themselves',
  waiting: 'the host is being asked to tell of them',
  ready: 'deployed by themselves',
  failed: 'not deployed, see above',
};

/** Where it comes from, and how it is made. */
export function SourceSection({ application }: { application: Application }) {
  const { vcs_repo_url: url, vcs_branch, root_directory } = application;
  return (
    <Section title="Source">
      <dl className="facts">
        <dt>{url ? 'Repository' : 'Source'}</dt>
        <dd className="break">{url ? <Repository url={url} /> : 'an uploaded archive'}</dd>
        {vcs_branch && (
          <>
            <dt>Branch</dt>
            <dd className="break">
              <Name of={vcs_branch} />
            </dd>
          </>
        )}
        {root_directory && (
          <>
            <dt>Folder</dt>
            <dd className="break">
              <Name of={root_directory} />
            </dd>
          </>
        )}
        <dt>What it is</dt>
        <dd className="break">{describeKind(application)}</dd>
        {url && (
          <>
            <dt>Pushes</dt>
            <dd>{pushes[application.push_status]}</dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <Time at={application.created_at} />
        </dd>
      </dl>
    </Section>
  );
}

/** Only what a browser should open is a link. */
function Repository({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <Name of={url} />;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      <Name of={repositoryName(url)} />
      <span className="visually-hidden"> (opens a new tab)</span>
    </a>
  );
}
