/** For what is not to end before it has. */
export const never = new AbortController().signal;

/** A file, as it comes from where it is kept. */
export async function* inPieces(text: Buffer, size = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.subarray(at, at + size));
}
