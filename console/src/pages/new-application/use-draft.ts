import { type Dispatch, type SetStateAction, useState } from 'react';
import type { VariableRow } from '../../parts/variables-editor/rules.ts';

/** Settings that are suggested, and may be chosen otherwise. */
export type DraftField =
  | 'kind'
  | 'framework'
  | 'buildCommand'
  | 'outputDirectory'
  | 'startCommand'
  | 'rootDirectory'
  | 'memory'
  | 'cpu'
  | 'minInstances'
  | 'maxInstances'
  | 'containerPort'
  | 'autoDeployOnPush';

type DraftStep = 'open' | 'sent' | 'created';

/** What somebody typed that stays when they choose another repository, branch, folder or archive. */
export interface Draft {
  /** Null: as suggested. */
  name: string | null;
  setName: (name: string) => void;
  /** Where it is filed; empty: nowhere. */
  folderId: string;
  setFolderId: (id: string) => void;
  /** Only those that somebody has changed: the others are as suggested. */
  fields: Partial<Record<DraftField, string>>;
  setField: (field: DraftField, value: string) => void;
  rows: VariableRow[];
  setRows: Dispatch<SetStateAction<VariableRow[]>>;
  isTyped: boolean;
  /** Once it is an application there is nothing to lose any more. */
  step: DraftStep;
  setStep: (step: DraftStep) => void;
}

export function useDraft(): Draft {
  const [name, setName] = useState<string | null>(null);
  const [folderId, setFolderId] = useState('');
  const [fields, setFields] = useState<Draft['fields']>({});
  const [rows, setRows] = useState<VariableRow[]>([]);
  const [step, setStep] = useState<DraftStep>('open');
  const setField = (field: DraftField, value: string) => setFields((before) => ({ ...before, [field]: value }));
  const isTyped = name !== null || folderId !== '' || rows.length > 0 || Object.keys(fields).length > 0;
  return { name, setName, folderId, setFolderId, fields, setField, rows, setRows, isTyped, step, setStep };
}
