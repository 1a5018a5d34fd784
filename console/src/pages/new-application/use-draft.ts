import { type Dispatch, type SetStateAction, useState } from 'react';
import type { VariableRow } from '../../parts/variables-editor/rules.ts';

/** What somebody typed that stays when they choose another branch, folder or archive. */
export interface Draft {
  /** Null: as suggested. */
  name: string | null;
  setName: (name: string) => void;
  /** Where it is filed; empty: nowhere. */
  folderId: string;
  setFolderId: (id: string) => void;
  rows: VariableRow[];
  setRows: Dispatch<SetStateAction<VariableRow[]>>;
  isTyped: boolean;
  /** Once it is an application there is nothing to lose any more. */
  isCreated: boolean;
  setCreated: () => void;
}

export function useDraft(): Draft {
  const [name, setName] = useState<string | null>(null);
  const [folderId, setFolderId] = useState('');
  const [rows, setRows] = useState<VariableRow[]>([]);
  const [isCreated, setIsCreated] = useState(false);
  const setCreated = () => setIsCreated(true);
  const isTyped = name !== null || folderId !== '' || rows.length > 0;
  return { name, setName, folderId, setFolderId, rows, setRows, isTyped, isCreated, setCreated };
}
