import fc from 'fast-check';
import { expect, it } from 'vitest';
import { frame } from './testing/web-socket.ts';
import { WebSocketFrames } from './web-socket-frames.ts';

const frames = fc.array(
  fc.record({ length: fc.constantFrom(0, 1, 125, 126, 200, 65_535, 65_536, 70_000), isMasked: fc.boolean() }),
  { minLength: 1, maxLength: 5 },
);

it('knows where frames end, however they are cut', () => {
  fc.assert(
    fc.property(frames, fc.integer({ min: 1, max: 5000 }), (list, size) => {
      const parts = list.map(({ length, isMasked }) => frame('x'.repeat(length), { isMasked }));
      const ends = new Set(parts.map((_, at) => Buffer.concat(parts.slice(0, at + 1)).length));
      const all = Buffer.concat(parts);
      const follower = new WebSocketFrames();
      const seen = new Set<number>();
      for (let at = 0; at < all.length;) {
        const piece = all.subarray(at, at + size);
        if (follower.isBetween) {
          // One byte into the next frame, so that its end is looked for.
          at += follower.follow(piece.subarray(0, 1), false);
          continue;
        }
        at += follower.follow(piece, true);
        if (follower.isBetween) seen.add(at);
      }
      expect(seen).toEqual(ends);
    }),
  );
});
