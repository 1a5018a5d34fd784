/**
 * Writes to a stream and waits while it is full. Rejects when the stream fails or is closed, and with the signal. The
 * stream is not ended.
 */
export interface Sink {
  write(piece: string | Uint8Array): Promise<void>;
}

export function writeToSink(stream: NodeJS.WritableStream, signal: AbortSignal): Sink {
  return {
    async write(piece) {
      signal.throwIfAborted();
      if (!stream.writable) throw new Error('What was to be written to is closed.');
      if (!stream.write(piece)) await untilDrained(stream, signal);
    },
  };
}

function untilDrained(stream: NodeJS.WritableStream, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (work: () => void) => () => {
      stream.off('drain', drained).off('error', failed).off('close', closed);
      signal.removeEventListener('abort', aborted);
      work();
    };
    const drained = settle(resolve);
    const closed = settle(() => reject(new Error('What was to be written to is closed.')));
    const aborted = settle(() => reject(signal.reason as Error));
    const failed = (error: Error) => settle(() => reject(error))();
    stream.on('drain', drained).on('error', failed).on('close', closed);
    signal.addEventListener('abort', aborted);
  });
}
