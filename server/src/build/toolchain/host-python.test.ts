import { describe, expect, it } from 'vitest';
import { BuildFailed } from '../builder.ts';
import { choosePython, findPythons, toRange } from './host-python.ts';
import type { HostTool } from './tool.ts';

const pythons = ['3.11.7', '3.9.18', '3.12.1', '3.13.0'].map((version): HostTool => ({
  name: 'python',
  title: 'Python',
  version,
  program: `/p/${version}/bin/python`,
  folders: [],
}));
const chosen = (wanted: string | null) => choosePython(pythons, wanted).version;

describe('the Python of a project', () => {
  it('is the machine’s own where that will do, else the newest that does', () => {
    expect(chosen(null)).toBe('3.11.7');
    expect(chosen('>=3.9')).toBe('3.11.7');
    expect(chosen('>=3.12,<4')).toBe('3.13.0');
    expect(chosen('>=3.12,!=3.13.0,<3.13')).toBe('3.12.1');
    expect(chosen('~=3.9')).toBe('3.11.7');
    expect(chosen('~=3.9.2')).toBe('3.9.18');
    expect(chosen('==3.12.*')).toBe('3.12.1');
  });

  it('may have another patch than is asked for', () => {
    expect(chosen('3.12.8')).toBe('3.12.1');
    expect(chosen('python-3.9.1')).toBe('3.9.18');
  });

  it('that is not there is named, with those that are', () => {
    expect(() => chosen('>=3.14')).toThrow(BuildFailed);
    expect(() => chosen('3.8')).toThrow(/asks for Python 3\.8, and this machine has 3\.11\.7, 3\.9\.18/);
  });

  it('is not asked for by what is no version', () => {
    expect(toRange('pypy')).toBeNull();
    expect(chosen('system')).toBe('3.11.7');
  });
});

describe('the Pythons of this machine', () => {
  it('are found as they are, behind links and shims', async () => {
    const found = await findPythons('/usr/bin:/bin');
    expect(found.length).toBeGreaterThan(0);
    for (const { version, program } of found) {
      expect(program).toMatch(/\/python3\.\d+$/);
      expect(version).toMatch(/^3\.\d+\.\d+$/);
    }
  });
});
