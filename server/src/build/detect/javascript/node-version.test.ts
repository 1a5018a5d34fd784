import { describe, expect, it } from 'vitest';
import { planFor } from '../testing/plan-for.ts';
import { nodeMajorFor } from './node-version.ts';

const server = { dependencies: { express: '5.0.0' }, scripts: { start: 'node .' } };

describe('the version of Node', () => {
  it.each([
    [{ engines: { node: '20.x' } }, {}, '20.x', 'node20'],
    [{ engines: { node: '>=18' } }, {}, '>=18', 'node24'],
    [{ engines: { node: '*' } }, {}, null, 'node24'],
    [{ engines: { node: 'whatever' } }, {}, null, 'node24'],
    [{}, { '.nvmrc': 'v22.11.0\n' }, '22.11.0', 'node22'],
    [{}, { '.nvmrc': 'lts/iron' }, '20', 'node20'],
    [{}, { '.nvmrc': 'lts/*' }, null, 'node24'],
    [{}, { '.node-version': '18' }, '18', 'node18'],
    [{ volta: { node: '20.10.0' } }, {}, '20.10.0', 'node20'],
    [{ engines: { node: '>=18' } }, { '.nvmrc': '20' }, '20', 'node20'],
    [{}, {}, null, 'node24'],
  ])('of %j and %j is %s', async (manifest, files, version, runtime) => {
    const plan = await planFor({ 'package.json': { ...server, ...manifest }, ...files });
    expect(plan).toMatchObject({ nodeVersion: version, runtime });
  });

  it('is what engines wants where a stale .nvmrc contradicts it', async () => {
    const plan = await planFor({ 'package.json': { ...server, engines: { node: '>=22' } }, '.nvmrc': '14' });
    expect(plan.nodeVersion).toBe('>=22');
    expect(plan.notes.join()).toContain('does not allow the pinned version 14');
  });

  it('is the newest that a range allows, where it does not allow the default', () => {
    expect(nodeMajorFor('>=16 <23')).toBe(22);
    expect(nodeMajorFor('^18 || ^20')).toBe(20);
    expect(nodeMajorFor('20.9.0')).toBe(20);
    expect(nodeMajorFor('>=20')).toBe(24);
  });
});
