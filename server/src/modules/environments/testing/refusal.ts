import { expect } from 'vitest';

/** What is thrown at a setting that cannot be so. */
export const refusal = (message: RegExp): unknown =>
  expect.objectContaining({ code: 'VA001', message: expect.stringMatching(message) });
