import { useState } from 'react';
import { nameHost, placeAt, type RepositoryHost, type RepositoryPlace } from '../../lib/repository-hosts.ts';
import { Link } from '../../lib/router.tsx';
import { type LinkedRepository, useLinkedRepositories } from '../../lib/use-linked-repositories.ts';
import { Badge } from '../../parts/badge.tsx';
import { ListLimits } from '../../parts/list-limits.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Picker } from '../../parts/picker/picker.tsx';
import { Section } from '../../parts/section.tsx';
import { PublicAddress } from './public-address.tsx';

export interface ChosenRepository {
  place: RepositoryPlace;
  /** Reached by something that the organisation has linked. */
  isLinked: boolean;
  isPrivate: boolean;
  defaultBranch: string | null;
}

interface SourcePickerProps {
  hosts: readonly RepositoryHost[];
  onPick: (chosen: ChosenRepository) => void;
}

/** One of those that the organisation reaches, or any that everybody can. */
export function SourcePicker({ hosts, onPick }: SourcePickerProps) {
  const ready = hosts.filter(({ configured }) => configured);
  const [hostId, setHostId] = useState(ready[0]?.id);
  const host = ready.find(({ id }) => id === hostId);
  return (
    <>
      {host && (
        <Section title="Linked repositories">
          {ready.length > 1 && (
            <div className="actions" role="group" aria-label="Host">
              {ready.map((each) => (
                <button
                  key={each.id}
                  type="button"
                  className="button button-plain host-choice"
                  aria-pressed={each.id === hostId}
                  onClick={() => setHostId(each.id)}
                >
                  {nameHost(each)}
                </button>
              ))}
            </div>
          )}
          <LinkedPicker key={host.id} host={host} onPick={onPick} />
        </Section>
      )}
      <Section
        title="A public repository"
        about={
          ready.length === 0 ? (
            <>
              Private ones can be chosen once <Link href="/repositories">a repository host is set up and linked</Link>.
            </>
          ) : undefined
        }
      >
        <PublicAddress {...{ hosts, onPick }} />
      </Section>
    </>
  );
}

function LinkedPicker({ host, onPick }: { host: RepositoryHost; onPick: SourcePickerProps['onPick'] }) {
  const repositories = useLinkedRepositories(host.id);
  const pick = ({ full_name, private: isPrivate, default_branch: defaultBranch }: LinkedRepository) =>
    onPick({ place: placeAt(host, full_name), isLinked: true, isPrivate, defaultBranch });
  return (
    <Loading of={repositories}>
      {(items) => (
        <>
          {items.length > 0 && (
            <Picker
              label="Repository"
              items={items}
              nameOf={({ full_name }) => full_name}
              render={(item) => item.private && <Badge>private</Badge>}
              onPick={pick}
            />
          )}
          <ListLimits headers={repositories.headers} />
          <p className="hint">
            {items.length === 0 ? 'Nothing is linked yet, or no repository was granted. ' : 'One is missing? '}
            <Link href="/repositories">Link an account</Link> of {nameHost(host)}.
          </p>
        </>
      )}
    </Loading>
  );
}
