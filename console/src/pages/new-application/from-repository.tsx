import { useState } from 'react';
import { useCall } from '../../lib/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Section } from '../../parts/section.tsx';
import { LeaveDraft } from './leave-draft.tsx';
import { RepositorySettings } from './repository-settings.tsx';
import { type ChosenRepository, SourcePicker } from './source-picker.tsx';
import { useDraft } from './use-draft.ts';

export function FromRepository() {
  const platform = useCall('config.platform', {});
  const [chosen, setChosen] = useState<ChosenRepository | null>(null);
  // Who chooses another one finds what they typed.
  const draft = useDraft();
  return (
    <>
      <LeaveDraft draft={draft} isBegun={chosen !== null} />
      <Loading of={platform}>
        {({ repositoryHosts }) =>
          chosen === null ? (
            <SourcePicker hosts={repositoryHosts.filter(({ enabled }) => enabled)} onPick={setChosen} />
          ) : (
            <>
              <Section title="Repository">
                <div className="actions">
                  <span className="grows break">{chosen.place.url.replace(/^https?:\/\//, '')}</span>
                  <Button autoFocus onClick={() => setChosen(null)}>
                    Choose another
                  </Button>
                </div>
              </Section>
              <RepositorySettings key={chosen.place.url} {...{ chosen, draft }} />
            </>
          )
        }
      </Loading>
    </>
  );
}
