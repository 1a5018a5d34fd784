import type { RepositoryPlace } from '../../lib/repository-hosts.ts';
import { useBranches } from '../../lib/use-linked-repositories.ts';
import { BranchName } from '../../parts/branch-name.tsx';
import { Choice } from '../../parts/choice.tsx';
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
  return (
    <Choice label="Branch" value={<BranchName of={branch} />}>
      {(onChosen) => (
        <Loading of={branches}>
          {(items) => (
            <Picker
              label="Branch"
              items={items}
              chosen={branch}
              nameOf={({ name }) => name}
              render={({ commit_sha }) => <code className="meta">{commit_sha.slice(0, 7)}</code>}
              onPick={({ name }) => {
                onBranch(name);
                onChosen();
              }}
              autoFocus
            />
          )}
        </Loading>
      )}
    </Choice>
  );
}
