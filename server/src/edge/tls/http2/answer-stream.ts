import { ReadStream } from 'node:fs';
import type { ServerHttp2Stream } from 'node:http2';
import { pipeline } from 'node:stream/promises';
import type { BlobLibrary } from '../../static/blob-library.ts';
import type { Header } from '../../static/header-rules.ts';
import type { StaticAnswer } from '../../static/static-answer.ts';
import { openSlice } from '../../static/write-response.ts';
import { staticAnswerFields } from './answer-fields.ts';

export interface StreamAnswer {
  answer: StaticAnswer;
  /** Only its head is wanted. */
  isHead: boolean;
  /** A header to be added. */
  added: Header | null;
  blobs: BlobLibrary;
  onBegin: () => void;
}

/**
 * Answers by a stream of HTTP/2, and says how many bytes went out. Fails, with nothing written, when its file cannot be
 * read.
 */
export async function answerStream(
  stream: ServerHttp2Stream,
  { answer, isHead, added, blobs, onBegin }: StreamAnswer,
): Promise<number> {
  const { head } = answer;
  const body = isHead ? null : answer.body;
  const source = body === null || Buffer.isBuffer(body) ? body : await openSlice(body, blobs);
  if (stream.closed || stream.destroyed) {
    if (source instanceof ReadStream) source.destroy();
    return 0;
  }
  onBegin();
  if (!(source instanceof ReadStream)) {
    stream.respond(staticAnswerFields(answer, added), { endStream: source === null });
    if (source !== null) stream.end(source);
    return head.length + (source?.length ?? 0);
  }
  stream.respond(staticAnswerFields(answer, added));
  // A client that goes away, or a file that breaks off, ends both; the client is not told half is all.
  await pipeline(source, stream).catch(() => {});
  return head.length + source.bytesRead;
}
