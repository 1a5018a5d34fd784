import { useCall } from '../../lib/use-call.ts';
import { Field, SelectField } from '../../parts/field.tsx';
import { useMember } from '../../shell/member-context.ts';
import { addressOf, suggestName } from './settings-rules.ts';
import type { Draft } from './use-draft.ts';

interface NameFieldsProps {
  suggestedName: string;
  draft: Draft;
  /** Null while it is not known. */
  appsDomain: string | null;
}

/** What it is called, where it will answer, and where it is filed. */
export function NameFields({ suggestedName, draft, appsDomain }: NameFieldsProps) {
  const name = draft.name ?? suggestName(suggestedName);
  const targetOrganisationId = useMember().organisation.id;
  const folders = useCall('projects.list', {
    body: { targetOrganisationId, limit: 100, sortColumn: 'name', sortOrder: 'asc' },
  });
  const address = appsDomain === null ? null : addressOf(name, appsDomain, location.port);
  return (
    <>
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
      {(folders.data?.items.length ?? 0) > 0 && (
        <SelectField label="Folder" name="projectId" defaultValue="">
          <option value="">No folder</option>
          {folders.data!.items.map(({ id, name: folder }) => (
            <option key={id} value={id}>
              {folder}
            </option>
          ))}
        </SelectField>
      )}
    </>
  );
}
