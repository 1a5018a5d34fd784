import { useFolders } from '../../lib/use-folders.ts';
import { Field, SelectField } from '../../parts/field.tsx';
import { addressOf, suggestName } from './settings-rules.ts';
import type { Draft } from './use-draft.ts';
import { showMarks } from '../../lib/visible-name.ts';

interface NameFieldsProps {
  suggestedName: string;
  draft: Draft;
  /** Null while it is not known. */
  appsDomain: string | null;
}

/** What it is called, where it will answer, and where it is filed. */
export function NameFields({ suggestedName, draft, appsDomain }: NameFieldsProps) {
  const name = draft.name ?? suggestName(suggestedName);
  const folders = useFolders().data ?? [];
  const address = appsDomain === null ? null : addressOf(name, appsDomain, location.port);
  return (
    <div className="columns">
      <Field
        label="Name"
        name="name"
        value={name}
        onChange={(event) => draft.setName(event.target.value)}
        hint={
          address &&
          `It will be at ${address}. Where that name is taken or kept for the platform, some letters are added.`
        }
        autoComplete="off"
        maxLength={100}
        required
      />
      {folders.length > 0 && (
        <SelectField
          label="Filed in"
          name="projectId"
          value={draft.folderId}
          onChange={(event) => draft.setFolderId(event.target.value)}
        >
          <option value="">No folder</option>
          {folders.map(({ id, name: folder }) => (
            <option key={id} value={id}>
              {showMarks(folder)}
            </option>
          ))}
        </SelectField>
      )}
    </div>
  );
}
