import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { blobKey } from '../../artifacts/static-manifest.ts';
import { soleLeadership } from '../../jobs/leadership.ts';
import { openLocalSubject } from '../../objects/local/testing/local-subject.ts';
import type { InstanceSpec } from '../runtime.ts';
import { parcelsOf } from './parcels.ts';

/** As the documents say. */
const LIFE_MS = 15 * 60_000;

/** A store whose addresses are answered by its server, and whose clock stands still until it is moved. */
async function openBench() {
  const subject = await openLocalSubject();
  const from = mkdtempSync(join(tmpdir(), 'lilac-tool-'));
  writeFileSync(join(from, 'tool'), 'true');
  onTestFinished(async () => {
    await subject[Symbol.asyncDispose]();
    rmSync(from, { recursive: true, force: true });
  });
  const { objects, clock, send } = subject;
  const tools = {
    mounts: [{ kind: 'folder' as const, from, at: '/home/tools/tool', isWritable: false }],
    searchPath: [],
    env: {},
  };
  const sealKey = Buffer.alloc(32, 1);
  const deps = { objects, clock, tools, sealKey, leadership: soleLeadership, nodeVersion: process.versions.node };
  return {
    clock,
    objects,
    /** Where a task would fetch a program with these bytes, and the tool. */
    addressesOf: async (bytes: string): Promise<string[]> => {
      const hash = createHash('sha256').update(bytes).digest('hex');
      await objects.put(blobKey(hash), Buffer.from(bytes));
      const spec = { slug: { artifactId: 'art_1', hash } } as InstanceSpec;
      return (await parcelsOf(spec, deps)).flatMap((parcel) => ('url' in parcel ? [parcel.url] : []));
    },
    ask: async (address: string) => {
      const { status, body } = await send(address, { method: 'GET' });
      return status === 200 ? body : status;
    },
  };
}

it('what a task has to fetch is given out for a quarter of an hour, to the millisecond, and refused from then on', async () => {
  const { clock, addressesOf, ask } = await openBench();
  const [program = '', tool = '', ...others] = await addressesOf('the program');
  expect(others).toEqual([]);
  clock.advance(LIFE_MS - 1);
  expect(await ask(program)).toBe('the program');
  expect(await ask(tool)).toBeTypeOf('string');
  clock.advance(1);
  expect([await ask(program), await ask(tool)]).toEqual([403, 403]);
  const [again = ''] = await addressesOf('the program');
  expect(await ask(again)).toBe('the program');
});

it('an address leads to the one digest that it was given out for, and to nothing else that the store has', async () => {
  const { addressesOf, ask, objects } = await openBench();
  const [program = ''] = await addressesOf('the program');
  const [secret = ''] = await addressesOf('of another organisation');
  await objects.put('backups/1', Buffer.from('all there is'));
  const terms = new URL(program).search;
  expect(await ask(new URL(secret).pathname + terms)).toBe(403);
  expect(await ask(`/objects/backups/1${terms}`)).toBe(403);
  expect(await ask(secret)).toBe('of another organisation');
});

it('an address of which anything is changed, its end above all, is refused', async () => {
  const { clock, addressesOf, ask } = await openBench();
  const [program = ''] = await addressesOf('the program');
  const { pathname, search } = new URL(program);
  const begins = program.length - search.length - pathname.length;
  for (let index = begins; index < program.length; index++) {
    const changed = program.slice(0, index) + (program[index] === '0' ? '1' : '0') + program.slice(index + 1);
    expect({ changed, answer: await ask(changed) }).toEqual({ changed, answer: expect.toBeOneOf([400, 403, 404]) });
  }
  const later = new URL(program);
  later.searchParams.set('expires', String(clock.now().getTime() + 10 * LIFE_MS));
  expect(await ask(later.href)).toBe(403);
  expect(await ask(program)).toBe('the program');
});
