import type Docker from 'dockerode';
import { expect, it } from 'vitest';
import { limitStep } from './guard-build.ts';

/** An engine that refuses to limit, and what else was asked of it. */
function refusing(statusCode: number) {
  const asked: string[] = [];
  const container = {
    update: () => Promise.reject(Object.assign(new Error('refused'), { statusCode })),
    kill: async () => void asked.push('kill'),
    remove: async () => void asked.push('remove'),
  };
  return { asked, engine: { getContainer: () => container } as unknown as Pick<Docker, 'getContainer'> };
}

it.each([
  [404, []],
  [409, []],
  // It may have ended just then: of what is removed the builder can take no files any more.
  [500, ['kill']],
])(
  'a step that cannot be limited, which the engine says by %i, is ended and never removed',
  async (status, expected) => {
    const { engine, asked } = refusing(status);
    await limitStep(engine, 'abc');
    expect(asked).toEqual(expected);
  },
);
