import { parentPort } from 'node:worker_threads';
import type { SourceTree, TreeEntry } from '../../source/source-tree.ts';
import { PlanRefused } from '../plan.ts';
import type { FromThread, ToThread } from './detect-messages.ts';
import { detectPlan } from './detect-plan.ts';

/** A thread that detects one source after the other; the files of each it is told by whoever has the tree. */
const waiting = new Map<number, PromiseWithResolvers<TreeEntry[] | string | null>>();
let asked = 0;

const tell = (message: FromThread): void => parentPort!.postMessage(message, []);

function ask(kind: 'list' | 'read', path: string): Promise<TreeEntry[] | string | null> {
  const answer = Promise.withResolvers<TreeEntry[] | string | null>();
  const number = ++asked;
  waiting.set(number, answer);
  tell({ kind: 'question', number, ask: kind, path });
  return answer.promise;
}

const tree: SourceTree = {
  list: (folder) => ask('list', folder) as Promise<TreeEntry[]>,
  read: (path) => ask('read', path) as Promise<string | null>,
};

parentPort!.on('message', (message: ToThread) => {
  if (message.kind === 'detect') {
    detectPlan(tree, message.settings).then((plan) => tell({ kind: 'plan', plan }), tellFailure);
    return;
  }
  const answer = waiting.get(message.number);
  waiting.delete(message.number);
  if (message.kind === 'answer') answer?.resolve(message.value);
  else answer?.reject(new Error('the tree cannot be read'));
});

function tellFailure(error: unknown): void {
  if (error instanceof PlanRefused) tell({ kind: 'refused', message: error.message });
  else tell({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
}
