import type { RepositoryPlace } from '../../lib/repository-hosts.ts';
import { useCall } from '../../lib/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Picker } from '../../parts/picker/picker.tsx';
import { useMember } from '../../shell/member-context.ts';
import { Name } from '../../parts/name.tsx';

interface FolderChoiceProps {
  place: RepositoryPlace;
  branch: string;
  /** Empty: the top of the repository. */
  folder: string;
  onFolder: (folder: string) => void;
}

/** The part of a repository that is deployed, one level at a time. */
export function FolderChoice({ place, branch, folder, onFolder }: FolderChoiceProps) {
  const value =
    folder === '' ? (
      'The whole repository'
    ) : (
      <code>
        <Name of={folder} />
      </code>
    );
  return (
    <Choice label="Folder" value={value} isStaying>
      {(onChosen) => (
        <FolderLevel
          key={folder}
          {...{ place, branch, folder }}
          onFolder={(next) => {
            onFolder(next);
            onChosen();
          }}
        />
      )}
    </Choice>
  );
}

function FolderLevel({ place: { owner, repo, provider }, branch, folder, onFolder }: FolderChoiceProps) {
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, owner, repo, gitProvider: provider, branch, ...(folder && { path: folder }) };
  const level = useCall('applications.list-repo-directories', { body });
  const above = folder.split('/').slice(0, -1).join('/');
  return (
    <>
      {folder !== '' && (
        <div className="actions">
          <Button look="quiet" onClick={() => onFolder(above)}>
            ↑ Up to {above || 'the top'}
          </Button>
        </div>
      )}
      <Loading of={level}>
        {({ directories }) =>
          directories.length === 0 ? (
            <p className="hint">There are no folders in it.</p>
          ) : (
            <Picker label="Folder" items={directories} nameOf={(path) => path} onPick={onFolder} />
          )
        }
      </Loading>
    </>
  );
}
