import type { Folder } from '../../lib/use-folders.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Name } from '../../parts/name.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { FolderForm } from './folder-form.tsx';
import type { useListAddress } from './use-list-address.ts';

interface FolderBarProps {
  address: ReturnType<typeof useListAddress>;
  folders: readonly Folder[];
  onChanged: () => void;
  /** Whether every application can be filed elsewhere where it stands. */
  isMoving: boolean;
  onMoving: (isMoving: boolean) => void;
}

/** The folders to choose from, and what can be done to the one that is chosen. */
export function FolderBar({ address, folders, onChanged, isMoving, onMoving }: FolderBarProps) {
  const mayMove = usePermission('update:projects');
  const chosen = folders.find(({ id }) => id === address.folder);
  const choose = (folder: string) => address.change({ folder });
  if (folders.length === 0) return null;
  return (
    <div className="toolbar folder-bar">
      <div className="chips grows" role="group" aria-label="Folders">
        <Chip isChosen={address.folder === ''} onClick={() => choose('')} label="All" />
        {folders.map(({ id, name }) => (
          <Chip key={id} isChosen={id === address.folder} onClick={() => choose(id)} label={name} hasIcon />
        ))}
      </div>
      {chosen && <FolderActions folder={chosen} onChanged={onChanged} onGone={() => choose('')} />}
      {mayMove && (
        <Button look="quiet" aria-pressed={isMoving} onClick={() => onMoving(!isMoving)}>
          {isMoving ? 'Done moving' : 'Move applications'}
        </Button>
      )}
    </div>
  );
}

interface ChipProps {
  label: string;
  isChosen: boolean;
  hasIcon?: boolean;
  onClick: () => void;
}

/** One line of a chip. */
const ROOM = 28;

function Chip({ label, isChosen, hasIcon = false, onClick }: ChipProps) {
  return (
    <button type="button" className="chip" aria-pressed={isChosen} onClick={onClick}>
      {hasIcon && <Icon name="folder" />}
      <Name of={label} room={ROOM} />
    </button>
  );
}

interface FolderActionsProps {
  folder: Folder;
  onChanged: () => void;
  onGone: () => void;
}

function FolderActions({ folder, onChanged, onGone }: FolderActionsProps) {
  const targetOrganisationId = useMember().organisation.id;
  const mayRename = usePermission('update:projects');
  const mayDelete = usePermission('delete:projects');
  const remove = async () => {
    await browserSession.call('projects.delete', { body: { targetOrganisationId, projectId: folder.id } });
    onGone();
    onChanged();
  };
  return (
    <>
      {mayRename && <FolderForm key={folder.id} folder={folder} onSaved={onChanged} />}
      {mayDelete && (
        <ConfirmButton
          action="Delete folder"
          subject={folder.name}
          question={`Delete the folder ${folder.name}?`}
          consequence="What is in it stays, and is in no folder then."
          onConfirm={remove}
        />
      )}
    </>
  );
}
