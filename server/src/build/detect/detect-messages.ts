import type { TreeEntry } from '../../source/source-tree.ts';
import type { BuildSettings, Plan } from '../plan.ts';

/** What the thread that detects is told: what to detect, and what is in the tree that it asks for. */
export type ToThread =
  | { kind: 'detect'; settings: BuildSettings }
  | { kind: 'answer'; number: number; value: TreeEntry[] | string | null }
  | { kind: 'no answer'; number: number };

/** What it says: what it wants of the tree, and in the end how the source is built, or why that cannot be told. */
export type FromThread =
  | { kind: 'question'; number: number; ask: 'list' | 'read'; path: string }
  | { kind: 'plan'; plan: Plan }
  | { kind: 'refused'; message: string }
  | { kind: 'failed'; error: Error };
