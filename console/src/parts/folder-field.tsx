import type { SelectHTMLAttributes } from 'react';
import type { Folder } from '../lib/use-folders.ts';
import { showMarks } from '../lib/visible-name.ts';
import { SelectField } from './field.tsx';

interface FolderFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  folders: readonly Folder[];
  isTitled?: boolean;
}

/** One of the organisation's folders, or none, which is nothing as a value. */
export function FolderField({ folders, ...select }: FolderFieldProps) {
  return (
    <SelectField label="Folder" name="folder" {...select}>
      <option value="">No folder</option>
      {folders.map(({ id, name }) => (
        <option key={id} value={id}>
          {showMarks(name)}
        </option>
      ))}
    </SelectField>
  );
}
