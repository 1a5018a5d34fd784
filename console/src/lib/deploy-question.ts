import type { Deployment } from './describe-deployment.ts';
import { isSameRollback, newestArchive, type Rollback, rollbackOf } from './rollback.ts';

/** What somebody has to know before they deploy: it undoes a rollback, or builds what was built before. */
export type DeployQuestion =
  | { kind: 'rollback'; rollback: Rollback }
  /** Whose archive is built; null where nothing was uploaded here, and that of production is. */
  | { kind: 'archive'; archive: Deployment | null };

interface Situation {
  /** Of the environment, newest first. */
  deployments: readonly Deployment[];
  /** The head of a branch needs no question: it is new, or nobody expects it to be. */
  asksOfArchive: boolean;
}

/** Null where nothing has to be asked. */
export function questionBefore({ deployments, asksOfArchive }: Situation): DeployQuestion | null {
  const rollback = rollbackOf(deployments);
  if (rollback) return { kind: 'rollback', rollback };
  return asksOfArchive ? { kind: 'archive', archive: newestArchive(deployments) } : null;
}

/** Whether an answer to the one is an answer to the other. */
export function isSameQuestion(one: DeployQuestion | null, other: DeployQuestion | null): boolean {
  if (one?.kind === 'archive' && other?.kind === 'archive') return one.archive?.id === other.archive?.id;
  if (one?.kind === 'rollback' && other?.kind === 'rollback') return isSameRollback(one.rollback, other.rollback);
  return one === other;
}
