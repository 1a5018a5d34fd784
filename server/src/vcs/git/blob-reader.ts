import { once } from 'node:events';
import { start, type ChildProcess } from '../../lib/exec.ts';
import type { GitContext } from './git-context.ts';
import { localEnvironment } from './git-environment.ts';
import { MirrorBroken } from './git-failure.ts';
import type { Mirror } from './mirror.ts';
import { gitArgv, killGroup } from './run-git.ts';

export interface BlobReader {
  /** The text, cut off after a mebibyte; null when the mirror does not have it. */
  read(id: string): Promise<string | null>;
  close(): Promise<void>;
}

const MAX_BYTES = 1024 * 1024;

/** One git for all the reads of a tree, started by the first. Reads take their turns. */
export function openBlobReader(context: GitContext, mirror: Mirror): BlobReader {
  let child: ChildProcess | null = null;
  let isClosed = false;
  let turn: Promise<unknown> = Promise.resolve();
  const read = async (id: string): Promise<string | null> => {
    if (isClosed) throw new Error('the tree is closed');
    child ??= startReader(context, mirror);
    return readOne(child, id);
  };
  return {
    read(id) {
      const mine = turn.then(() => read(id));
      turn = mine.catch(() => {});
      return mine;
    },
    async close() {
      isClosed = true;
      const running = child;
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const ended = once(running, 'close');
      if (running.pid !== undefined) killGroup(running.pid);
      await ended;
    },
  };
}

function startReader({ home }: GitContext, { gitDir }: Mirror): ChildProcess {
  const env = localEnvironment(home, gitDir);
  const child = start(gitArgv(['cat-file', '--batch'], { env, memoryBytes: home.memoryBytes }), {
    env,
    cwd: home.folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  return child;
}

function readOne(child: ChildProcess, id: string): Promise<string | null> {
  const { stdin, stdout } = child;
  return new Promise((resolve, reject) => {
    const answer = collectAnswer();
    const finish = (): void => {
      stdout?.off('data', onData);
      child.off('close', onClose);
    };
    const onData = (chunk: Buffer): void => {
      const text = answer.take(chunk);
      if (text === undefined) return;
      finish();
      resolve(text);
    };
    const onClose = (): void => {
      finish();
      reject(new MirrorBroken('git cat-file ended'));
    };
    if (child.exitCode !== null || child.signalCode !== null) return onClose();
    stdout?.on('data', onData);
    child.once('close', onClose);
    stdin?.write(`${id}\n`);
  });
}

/** `<id> blob <size>\n<content>\n`, or `<id> missing\n`. */
function collectAnswer() {
  let head = Buffer.alloc(0);
  let left: number | null = null;
  let kept = 0;
  const parts: Buffer[] = [];
  const takeContent = (chunk: Buffer, remaining: number): string | undefined => {
    left = remaining - chunk.length;
    const content = left <= 0 ? chunk.subarray(0, remaining - 1) : chunk;
    if (kept < MAX_BYTES) parts.push(content.subarray(0, MAX_BYTES - kept));
    kept += content.length;
    return left <= 0 ? Buffer.concat(parts).toString('utf8') : undefined;
  };
  return {
    /** Undefined until the answer is whole. */
    take(chunk: Buffer): string | null | undefined {
      if (left !== null) return takeContent(chunk, left);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf(10);
      if (end < 0) return undefined;
      const [, type, size = ''] = head.toString('latin1', 0, end).split(' ');
      if (type !== 'blob') return null;
      return takeContent(head.subarray(end + 1), Number(size) + 1);
    },
  };
}
