import { useState } from 'react';
import { useCall } from '../../lib/use-call.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Waiting } from '../../parts/loading.tsx';
import { Section } from '../../parts/section.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { BranchChoice } from './branch-choice.tsx';
import { FolderChoice } from './folder-choice.tsx';
import { SettingsForm } from './settings-form.tsx';
import type { ChosenRepository } from './source-picker.tsx';
import type { Draft } from './use-draft.ts';

/** Which branch, which folder, and what was found there. */
export function RepositorySettings({ chosen, draft }: { chosen: ChosenRepository; draft: Draft }) {
  const { place, isLinked, defaultBranch } = chosen;
  const [branch, setBranch] = useState(defaultBranch ?? 'main');
  const [folder, setFolder] = useState('');
  return (
    <>
      <Section title="Branch and folder">
        <div className="columns">
          <BranchChoice {...{ place, isLinked, branch }} onBranch={setBranch} />
          <FolderChoice key={branch} {...{ place, branch, folder }} onFolder={setFolder} />
        </div>
      </Section>
      <Found key={`${branch}\n${folder}`} {...{ chosen, branch, folder, draft }} />
    </>
  );
}

interface FoundProps {
  chosen: ChosenRepository;
  branch: string;
  folder: string;
  draft: Draft;
}

/** What cannot be looked into can be created all the same: whoever knows how it is built says so. */
function Found({ chosen: { place, isLinked, isPrivate }, branch, folder, draft }: FoundProps) {
  const targetOrganisationId = useMember().organisation.id;
  const { owner, repo, provider: gitProvider, url } = place;
  const rootDirectory = folder || undefined;
  const body = { targetOrganisationId, owner, repo, gitProvider, branch, rootDirectory };
  const { data, error } = useCall('applications.detect-framework', { body });
  if (data === undefined && error === undefined) return <Waiting />;
  return (
    <>
      {data === undefined && <ErrorNotice error={error} />}
      <SettingsForm
        source="repository"
        detected={data ?? null}
        suggestedName={folder.split('/').at(-1) || repo}
        hearsPushes={isLinked}
        draft={draft}
        create={async ({ shared, run }) => {
          const from = { vcsRepoUrl: url, gitProvider, vcsBranch: branch, isPrivate, rootDirectory };
          const create = { body: { targetOrganisationId, ...shared, ...run, ...from } };
          return (await browserSession.call('applications.create', create)).id;
        }}
      />
    </>
  );
}
