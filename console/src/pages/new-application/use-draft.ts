import { useState } from 'react';
import type { VariableRow } from '../../parts/variables-editor/rules.ts';

/** What somebody typed that stays when they choose another branch, folder or archive. */
export interface Draft {
  /** Null: as suggested. */
  name: string | null;
  setName: (name: string) => void;
  rows: VariableRow[];
  setRows: (rows: VariableRow[]) => void;
}

export function useDraft(): Draft {
  const [name, setName] = useState<string | null>(null);
  const [rows, setRows] = useState<VariableRow[]>([]);
  return { name, setName, rows, setRows };
}
