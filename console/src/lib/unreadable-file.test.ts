import { ApiError } from '@lilac/contract/client';
import { describe, expect, it } from 'vitest';
import { describeError } from './describe-error.ts';
import { explainUnsent, sayUnreadable } from './unreadable-file.ts';

const broken = new TypeError('The connection broke while the archive was sent.');
const refused = new ApiError({
  status: 413,
  code: 'VA003',
  message: 'Too large.',
  errorId: null,
  retryAfterSeconds: null,
});

/** As a browser has it once the file was removed: it still has a size, and cannot be read. */
class Removed extends Blob {
  override slice(): Blob {
    return new Removed(['x']);
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.reject(new DOMException('gone', 'NotReadableError'));
  }
}

describe('a file that was removed after it was chosen', () => {
  it.each(['NotFoundError', 'NotReadableError'])('is told of as such (%s), not as a lost connection', (name) => {
    expect(describeError(sayUnreadable(new DOMException('gone', name))).message).toContain('changed or removed');
  });

  it('is told from a connection that broke while it was sent', async () => {
    expect(describeError(await explainUnsent(broken, new Removed(['x']))).message).toContain('changed or removed');
    expect(await explainUnsent(broken, new Blob(['x']))).toBe(broken);
  });

  it('takes no other failure on itself', async () => {
    const aborted = new DOMException('left', 'AbortError');
    expect([sayUnreadable(aborted), sayUnreadable(broken)]).toEqual([aborted, broken]);
    expect(await explainUnsent(refused, new Removed(['x']))).toBe(refused);
  });
});
