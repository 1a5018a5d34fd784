import { describe, expect, it } from 'vitest';
import { callFilter } from './call-filter.ts';
import { callNumbers } from './system-calls.ts';

const ALLOWED = 'allowed';
const EPERM = 1;
const ENOSYS = 38;
const CLONE_NEWUSER = 0x10000000;
const CLONE_FS = 0x200;

/** Does what the kernel does with the program, for the few instructions it has. */
function judge(
  program: Buffer,
  call: { architecture: number; number: number; flags?: number },
): number | typeof ALLOWED {
  const data: Record<number, number> = { 0: call.number, 4: call.architecture, 16: call.flags ?? 0 };
  for (let at = 0, loaded = 0; ; at++) {
    const [code, value] = [program.readUInt16LE(at * 8), program.readUInt32LE(at * 8 + 4)];
    const go = (isTrue: boolean) => (at += program.readUInt8(at * 8 + (isTrue ? 2 : 3)));
    if (code === 0x20) loaded = data[value] ?? 0;
    else if (code === 0x15) go(loaded === value);
    else if (code === 0x35) go(loaded >= value);
    else if (code === 0x45) go((loaded & value) !== 0);
    else if (code === 0x06) return value === 0x7fff0000 ? ALLOWED : value & 0xffff;
    else throw new Error(`unknown instruction ${code}`);
  }
}

describe.each(['x64', 'arm64'])('the filter of system calls for %s', (name) => {
  const program = callFilter(name)!;
  const { architecture, refused, clone, clone3, unshare } = callNumbers[name]!;
  const ask = (number: number, flags?: number) => judge(program, { architecture, number, ...(flags ? { flags } : {}) });

  it.each(Object.entries(refused))('refuses %s', (_call, number) => {
    expect(ask(number)).toBe(EPERM);
  });

  it('refuses new namespaces, by whatever call, and no other way to fork', () => {
    for (const call of [clone, unshare]) {
      expect(ask(call, CLONE_NEWUSER)).toBe(EPERM);
      expect(ask(call, CLONE_FS)).toBe(ALLOWED);
    }
    expect(ask(clone3)).toBe(ENOSYS);
  });

  it('lets everything else pass', () => {
    const known = new Set([...Object.values(refused), clone3]);
    const others = Array.from({ length: 470 }, (_, number) => number).filter((number) => !known.has(number));
    expect(others.filter((number) => ask(number) !== ALLOWED)).toEqual([]);
  });

  it('knows no other numbering, in which the numbers mean something else', () => {
    expect(judge(program, { architecture: 0x40000003, number: 1 })).toBe(ENOSYS);
  });
});

it('there is none for a processor whose calls nobody has looked up', () => {
  expect(callFilter('riscv64')).toBeNull();
});

it('x32, the second numbering of x64, is no way around it', () => {
  const { architecture } = callNumbers.x64!;
  expect(judge(callFilter('x64')!, { architecture, number: 0x40000000 + 1 })).toBe(ENOSYS);
});
