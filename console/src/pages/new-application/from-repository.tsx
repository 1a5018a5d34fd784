import { useState } from 'react';
import { useCall } from '../../lib/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Section } from '../../parts/section.tsx';
import { RepositorySettings } from './repository-settings.tsx';
import { type ChosenRepository, SourcePicker } from './source-picker.tsx';

export function FromRepository() {
  const platform = useCall('config.platform', {});
  const [chosen, setChosen] = useState<ChosenRepository | null>(null);
  return (
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
            <RepositorySettings key={chosen.place.url} chosen={chosen} />
          </>
        )
      }
    </Loading>
  );
}
