import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { blobKey } from '../../artifacts/static-manifest.ts';
import { soleLeadership } from '../../jobs/leadership.ts';
import { openLocalSubject } from '../../objects/local/testing/local-subject.ts';
import type { InstanceSpec } from '../runtime.ts';
import { parcelsOf, type ParcelDeps } from './parcels.ts';

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
    from,
    /** Where a task would fetch a program with these bytes, and the tool. */
    addressesOf: async (bytes: string, given: Partial<ParcelDeps> = {}): Promise<string[]> => {
      const hash = createHash('sha256').update(bytes).digest('hex');
      await objects.put(blobKey(hash), Buffer.from(bytes));
      const spec = { slug: { artifactId: 'art_1', hash } } as InstanceSpec;
      const parcels = await parcelsOf(spec, { ...deps, ...given });
      return parcels.flatMap((parcel) => ('url' in parcel ? [parcel.url] : []));
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

it('the Node that a platform runs on is packed anew when it is another, though it lies where the former lay', async () => {
  const { from, addressesOf } = await openBench();
  const program = join(from, 'node');
  writeFileSync(program, '');
  const placeOfNode = async (version: string) => {
    const [, node = ''] = await addressesOf('the program', { nodeVersion: '22.0.0', ownNode: { program, version } });
    return new URL(node).pathname;
  };
  const former = await placeOfNode('24.21.0');
  expect(await placeOfNode('24.21.0')).toBe(former);
  expect(await placeOfNode('26.0.0')).not.toBe(former);
});

it('a task that has the Node which the platform runs on fetches none', async () => {
  const { from, addressesOf } = await openBench();
  writeFileSync(join(from, 'node'), '');
  const ownNode = { program: join(from, 'node'), version: '24.21.0' };
  expect(await addressesOf('the program', { nodeVersion: '24.21.0', ownNode })).toHaveLength(1);
  expect(await addressesOf('the program', { nodeVersion: '24.20.0', ownNode })).toHaveLength(2);
});
