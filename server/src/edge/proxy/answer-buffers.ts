/** What is read at once: 64 KiB, which many applications write at once, and a head before them. */
const BUFFER_BYTES = 80 * 1024;
const MAX_SPARE = 64;

/** Up to so many bytes are written as text, which the kernel or Node has copied when the write returns. */
export const AS_TEXT_BYTES = 8192;

/** All connections read into it; whoever needs its bytes for longer than a moment copies them. */
export const sharedBuffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);

const spare: Buffer[] = [];

/** One for a connection that has much to say, which then need not be copied. */
export function takeBuffer(): Buffer {
  return spare.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
}

/** Only when nobody reads or writes it any more. */
export function giveBackBuffer(buffer: Buffer): void {
  if (spare.length < MAX_SPARE) spare.push(buffer);
}
