import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CompressedForm, CompressionTask } from './compress-bytes.ts';

/** A thread of low priority that compresses one content at a time. */
export interface Compressor extends AsyncDisposable {
  compress(task: CompressionTask): Promise<CompressedForm[]>;
}

const program = new URL('./compress-thread.ts', import.meta.url);

/** When the signal is aborted, what is under way rejects and the thread ends. */
export function openCompressor(signal: AbortSignal): Compressor {
  const thread = new Worker(program);
  // What goes wrong is told by `compress`; between two tasks there is nobody to tell.
  thread.on('error', () => {});
  return {
    async compress(task) {
      signal.throwIfAborted();
      thread.postMessage(task, [task.bytes.buffer]);
      const [forms] = (await once(thread, 'message', { signal })) as [CompressedForm[]];
      return forms;
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate();
    },
  };
}
