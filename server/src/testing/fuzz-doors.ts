import fc from 'fast-check';
import { expect } from 'vitest';
import { createLinkBench, type LinkBench } from '../modules/vcs/testing/link-bench.ts';
import { createFaultLog } from './fault-log.ts';
import { distortionsOf, hostile, wildText } from './fuzz-values.ts';
import type { Answer } from './harness.ts';

/** What strangers reach without a credential. */
export interface Doors extends AsyncDisposable {
  bench: LinkBench;
  send(path: string, sent: Sent): Promise<Answer>;
  /** Neither the answer nor the log tells of a fault of ours. */
  expectNoFault(answer: Answer): void;
}

export interface Sent {
  method?: 'GET' | 'POST';
  body?: string;
  headers?: Record<string, string>;
}

export async function openDoors(): Promise<Doors> {
  const { log, faults } = createFaultLog();
  const bench = await createLinkBench({ log });
  let places = 0;
  return {
    bench,
    expectNoFault({ status, text }) {
      expect({ text, isOurFault: status >= 500, faults }).toEqual({ text, isOurFault: false, faults: [] });
    },
    async send(path, { method = 'POST', body, headers }) {
      // Each from a place of its own: who is slowed down is told nothing else.
      const place = places++;
      const answer = await bench.api.app.inject({
        method,
        url: path,
        remoteAddress: `10.${(place >> 16) & 255}.${(place >> 8) & 255}.${place & 255}`,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { payload: body }),
      });
      const isJson = String(answer.headers['content-type']).includes('json');
      return {
        status: answer.statusCode,
        headers: answer.headers as Answer['headers'],
        body: isJson && answer.body ? answer.json<unknown>() : answer.body,
        text: answer.body,
      };
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

/** What a header can hold. */
export const headerText = wildText.map((text) => encodeURIComponent(text.toWellFormed()));

/** The right thing, nearly that, or something else altogether. */
export function nearly(right: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 4, arbitrary: right }, { weight: 3, arbitrary: distortionsOf(right) }, wildText, hostile);
}
