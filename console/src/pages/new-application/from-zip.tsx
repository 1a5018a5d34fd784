import { useEffect, useRef, useState } from 'react';
import { type Dropped, forgetDropped, keptDropped } from '../../lib/dropped-file.ts';
import { formatSize } from '@lilac/contract/format-size';
import { useCall } from '../../lib/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { LeftOutNotice } from '../../parts/left-out-notice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Name } from '../../parts/name.tsx';
import { Section } from '../../parts/section.tsx';
import { UnwrappedNotice } from '../../parts/unwrapped-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { ArchiveProgress } from './archive-progress.tsx';
import { LeaveDraft } from './leave-draft.tsx';
import { SettingsForm } from './settings-form.tsx';
import { type ArchiveState, useArchive } from './use-archive.ts';
import { useDraft } from './use-draft.ts';

export function FromZip() {
  // Files that were dropped elsewhere brought the person here.
  const [dropped] = useState(keptDropped);
  useEffect(forgetDropped, []);
  const platform = useCall('config.platform', {});
  return (
    <Loading of={platform}>
      {({ limits }) => <ArchiveSteps dropped={dropped} maxBytes={limits.uploadMaxBytes} />}
    </Loading>
  );
}

function ArchiveSteps({ dropped, maxBytes }: { dropped: Dropped | null; maxBytes: number }) {
  const targetOrganisationId = useMember().organisation.id;
  const [chosen, setChosen] = useState(dropped);
  const draft = useDraft();
  const { state, start, cancel } = useArchive({ targetOrganisationId, maxBytes });
  const begin = (next: Dropped) => {
    setChosen(next);
    void start(next);
  };
  const first = useRef(() => dropped && start(dropped));
  useEffect(() => void first.current(), []);
  return (
    <>
      <LeaveDraft draft={draft} isBegun={state.step !== 'waiting' && state.step !== 'failed'} />
      <Section title="Files">
        <Archive {...{ state, cancel, chosen }} onDropped={begin} onAgain={() => chosen && begin(chosen)} />
        {state.step === 'ready' && <UnwrappedNotice dropped={chosen} />}
        {state.step !== 'waiting' && <LeftOutNotice dropped={chosen} />}
      </Section>
      {state.step === 'ready' && (
        <SettingsForm
          key={state.upload.uploadId}
          source="upload"
          detected={state.upload.detected}
          suggestedName={chosen?.name ?? ''}
          draft={draft}
          create={async (settings) => {
            const body = { targetOrganisationId, uploadId: state.upload.uploadId, ...settings.shared };
            return (await browserSession.call('applications.create-from-upload', { body })).id;
          }}
        />
      )}
    </>
  );
}

/** As it is called on the person's computer. */
function nameDropped(dropped: Dropped): string {
  if ('archive' in dropped) return `${dropped.name}.zip`;
  const count = dropped.files.length;
  return count === 1 ? dropped.files[0]!.path : `${dropped.name} (${count} files)`;
}

interface ArchiveProps {
  chosen: Dropped | null;
  state: ArchiveState;
  cancel: () => void;
  onDropped: (dropped: Dropped) => void;
  onAgain: () => void;
}

function Archive({ state, chosen, cancel, onDropped, onAgain }: ArchiveProps) {
  if (state.step === 'waiting') return <DropZone onDropped={onDropped} />;
  if (state.step === 'packing' || state.step === 'sending') return <ArchiveProgress state={state} onCancel={cancel} />;
  if (state.step === 'ready') {
    return (
      <div className="actions">
        <span className="grows break">
          {chosen && (
            <strong>
              <Name of={nameDropped(chosen)} />
            </strong>
          )}{' '}
          uploaded, {formatSize(state.upload.size)}
        </span>
        <Button onClick={cancel}>Choose something else</Button>
      </div>
    );
  }
  return <Failed {...{ state, chosen, cancel, onAgain }} />;
}

type FailedProps = Omit<ArchiveProps, 'state' | 'onDropped'> & { state: Extract<ArchiveState, { step: 'failed' }> };

function Failed({ state, chosen, cancel, onAgain }: FailedProps) {
  return (
    <div className="stack">
      <ErrorNotice error={state.error} />
      <div className="actions">
        {state.canTryAgain && (
          <Button look="primary" onClick={onAgain}>
            Try again
          </Button>
        )}
        <Button look={state.canTryAgain ? 'plain' : 'primary'} onClick={cancel}>
          {chosen && 'archive' in chosen ? 'Choose another zip' : 'Choose something else'}
        </Button>
      </div>
    </div>
  );
}
