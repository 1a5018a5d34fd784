import { useState } from 'react';
import type { VariableRow } from '../../parts/variables-editor/rules.ts';

/** What somebody typed that stays when they choose another branch, folder or archive. */
export interface Draft {
  /** Null: as suggested. */
  name: string | null;
  setName: (name: string) => void;
  rows: VariableRow[];
  setRows: (rows: VariableRow[]) => void;
  isTyped: boolean;
  /** Once it is an application there is nothing to lose any more. */
  isCreated: boolean;
  setCreated: () => void;
}

export function useDraft(): Draft {
  const [name, setName] = useState<string | null>(null);
  const [rows, setRows] = useState<VariableRow[]>([]);
  const [isCreated, setIsCreated] = useState(false);
  const setCreated = () => setIsCreated(true);
  return { name, setName, rows, setRows, isTyped: name !== null || rows.length > 0, isCreated, setCreated };
}
