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
    node: null,
  };
  /** A version of Node, always in the same folder. */
  const nodeOf = (version: string) => {
    const at = '/home/tools/node';
    const mounts = [{ kind: 'folder' as const, from, at, isWritable: false }];
    return { ...tools, mounts, node: { version, at, program: `${at}/bin/node` } };
  };
  const sealKey = Buffer.alloc(32, 1);
  const deps = { objects, clock, tools, sealKey, leadership: soleLeadership, nodeVersion: process.versions.node };
  /** What a task is told to bring for a program with these bytes. */
  const parcelsFor = async (bytes: string, given: Partial<ParcelDeps> = {}) => {
    const hash = createHash('sha256').update(bytes).digest('hex');
    await objects.put(blobKey(hash), Buffer.from(bytes));
    const spec = { slug: { artifactId: 'art_1', hash } } as InstanceSpec;
    return parcelsOf(spec, { ...deps, ...given });
  };
  return {
    clock,
    objects,
    nodeOf,
    parcelsFor,
    /** Where it would fetch the program, and the tool. */
    addressesOf: async (...asked: Parameters<typeof parcelsFor>): Promise<string[]> => {
      const parcels = await parcelsFor(...asked);
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

it('a Node is packed anew when it is another, though it lies where the former lay, as the platform’s own does', async () => {
  const { nodeOf, addressesOf } = await openBench();
  const placeOfNode = async (version: string) => {
    const [, node = ''] = await addressesOf('the program', { nodeVersion: '22.0.0', tools: nodeOf(version) });
    return new URL(node).pathname;
  };
  const former = await placeOfNode('24.21.0');
  expect(await placeOfNode('24.21.0')).toBe(former);
  expect(await placeOfNode('26.0.0')).not.toBe(former);
});

it('a task whose image has the very Node that a program was built with links to that, and fetches any other', async () => {
  const { nodeOf, addressesOf, parcelsFor } = await openBench();
  const tools = nodeOf('24.21.0');
  const [, node] = await parcelsFor('the program', { nodeVersion: '24.21.0', tools });
  expect(node).toEqual({ at: '/home/tools/node', node: 'bin/node' });
  expect(await addressesOf('the program', { nodeVersion: '24.20.0', tools })).toHaveLength(2);
});
