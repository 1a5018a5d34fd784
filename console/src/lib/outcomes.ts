import { useSyncExternalStore } from 'react';
import { describeError } from './describe-error.ts';

/** What became of something after whoever started it had gone elsewhere. */
export interface Outcome {
  kind: 'done' | 'failed';
  said: string;
  /** Where it can be seen, or was started. */
  href: string | null;
}

/** Where something is started. */
export interface Beginning {
  href: string;
  windowTitle: string;
}

const MOST = 3;
let outcomes: readonly Outcome[] = [];
const listeners = new Set<() => void>();

export function useOutcomes(): readonly Outcome[] {
  return useSyncExternalStore(listen, () => outcomes);
}

export function dismissOutcome(outcome: Outcome): void {
  tell(outcomes.filter((each) => each !== outcome));
}

/** The latest are enough to know, and leave room for the page. */
export function noteOutcome(outcome: Outcome): void {
  const others = outcomes.filter(({ said, href }) => said !== outcome.said || href !== outcome.href);
  tell([...others, outcome].slice(-MOST));
}

/** For what nothing on the page shows any more. */
export function noteFailure({ href, windowTitle }: Beginning, error: unknown): void {
  const { message, reference } = describeError(error);
  const page = windowTitle.replace(/ · Lilac$/, '');
  const said = [`What you started on “${page}” failed. ${message}`, reference].filter(Boolean).join(' ');
  noteOutcome({ kind: 'failed', said, href });
}

function tell(next: readonly Outcome[]): void {
  outcomes = next;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
