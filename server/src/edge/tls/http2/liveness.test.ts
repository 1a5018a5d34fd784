import { describe, expect, it } from 'vitest';
import { ANSWER_WITHIN_MS, ASK_AFTER_MS, Liveness } from './liveness.ts';

describe('a client', () => {
  it('is there as long as something comes', () => {
    const liveness = new Liveness();
    const looks = [1, 2, 3].map((times) => liveness.look(times * (ASK_AFTER_MS - 1), times));
    expect(looks).toEqual(['there', 'there', 'there']);
  });

  it('that says nothing is asked once, and is gone when it does not answer', () => {
    const liveness = new Liveness();
    liveness.look(0, 5);
    const [before, at] = [liveness.look(ASK_AFTER_MS - 1, 5), liveness.look(ASK_AFTER_MS, 5)];
    expect([before, at]).toEqual(['there', 'ask']);
    const [waiting, late] = [ANSWER_WITHIN_MS - 1, ANSWER_WITHIN_MS].map((ms) => liveness.look(ASK_AFTER_MS + ms, 5));
    expect([waiting, late]).toEqual(['there', 'gone']);
  });

  it('that answers is there, and asked again after as long', () => {
    const liveness = new Liveness();
    liveness.look(0, 5);
    liveness.look(ASK_AFTER_MS, 5);
    const answeredAt = ASK_AFTER_MS + ANSWER_WITHIN_MS - 1;
    expect(liveness.look(answeredAt, 22)).toBe('there');
    expect(liveness.look(answeredAt + ANSWER_WITHIN_MS, 22)).toBe('there');
    expect(liveness.look(answeredAt + ASK_AFTER_MS, 22)).toBe('ask');
  });
});
