import { describe, expect, it } from 'vitest';
import { assertContainerSize } from './container-size.ts';
import { refusal } from './testing/refusal.ts';

describe('the size of a container', () => {
  it('is a pair of the catalogue, or memory alone', () => {
    for (const size of [
      { memory: '512Mi', cpu: '0.5' },
      { memory: '32Gi', cpu: '8' },
      { memory: '2Gi', cpu: null },
    ]) {
      expect(() => assertContainerSize(size)).not.toThrow();
    }
  });

  it('is refused with what would be right', () => {
    expect(() => assertContainerSize({ memory: '513Mi', cpu: null })).toThrow(refusal(/128Mi, 256Mi/));
    expect(() => assertContainerSize({ memory: '32Gi', cpu: '1' })).toThrow(refusal(/With memory 32Gi.* 8\.$/));
  });
});
