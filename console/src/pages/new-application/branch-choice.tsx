import { useRef, useState } from 'react';
import type { RepositoryPlace } from '../../lib/repository-hosts.ts';
import { useBranches } from '../../lib/use-linked-repositories.ts';
import { Button } from '../../parts/button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Picker } from '../../parts/picker/picker.tsx';

interface BranchChoiceProps {
  place: RepositoryPlace;
  isLinked: boolean;
  branch: string;
  onBranch: (branch: string) => void;
}

/** The branch that production follows. */
export function BranchChoice({ place, isLinked, branch, onBranch }: BranchChoiceProps) {
  const branches = useBranches(place, isLinked);
  const [isOpen, setOpen] = useState(false);
  const group = useRef<HTMLDivElement>(null);
  return (
    <div ref={group} className="stack choice" role="group" aria-label="Branch">
      <div className="actions">
        <span className="grows break">
          Branch <code>{branch}</code>
        </span>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Change <span className="visually-hidden">the branch</span>
        </Button>
      </div>
      {isOpen && (
        <Loading of={branches}>
          {(items) => (
            <Picker
              label="Branch"
              items={items}
              nameOf={({ name }) => name}
              render={({ commit_sha }) => <code className="meta">{commit_sha.slice(0, 7)}</code>}
              onPick={({ name }) => {
                onBranch(name);
                setOpen(false);
                // The list goes, and the keyboard's place must not go with it.
                group.current?.querySelector('button')?.focus();
              }}
              autoFocus
            />
          )}
        </Loading>
      )}
    </div>
  );
}
