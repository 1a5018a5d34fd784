import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { compressBytes, type CompressionTask } from './compress-bytes.ts';

/**
 * A thread that compresses what it is sent, one content at a time. On Linux a priority belongs to a
 * thread: this one has what others leave of the processor.
 */
try {
  setPriority(0, 19);
} catch {
  // Then it has its share like any other.
}
parentPort!.on('message', (task: CompressionTask) => {
  const forms = compressBytes(task);
  parentPort!.postMessage(
    forms,
    forms.flatMap(({ bytes }) => (bytes ? [bytes.buffer] : [])),
  );
});
