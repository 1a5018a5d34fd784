import { describe, expect, it } from 'vitest';
import { callFilter, roomFilter } from './call-filter.ts';
import { callNumbers } from './system-calls.ts';

const ALLOWED = 'allowed';
const EPERM = 1;
const ENOSYS = 38;
const EOPNOTSUPP = 95;
const EAFNOSUPPORT = 97;
const CLONE_NEWUSER = 0x10000000;
const CLONE_FS = 0x200;

/** Does what the kernel does with the program, for the few instructions it has. */
function judge(
  program: Buffer,
  call: { architecture: number; number: number; args?: readonly number[] },
): number | typeof ALLOWED {
  const [first = 0, second = 0] = call.args ?? [];
  const data: Record<number, number> = { 0: call.number, 4: call.architecture, 16: first, 24: second };
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
  const { architecture, refused, unsupported, clone, clone3, unshare, fcntl, ioctl, socket } = callNumbers[name]!;
  const ask = (number: number, ...args: number[]) => judge(program, { architecture, number, args });

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

  it.each(Object.entries(unsupported))('answers %s as a file system does that does not know it', (_call, number) => {
    expect(ask(number)).toBe(EOPNOTSUPP);
  });

  it('refuses leases, and nothing else that fcntl does', () => {
    expect([1024, 1040].map((command) => ask(fcntl, 1, command))).toEqual([EPERM, EPERM]);
    expect([0, 1, 2, 3, 4, 6, 1023, 1025, 1030, 1033].filter((command) => ask(fcntl, 1, command) !== ALLOWED)).toEqual(
      [],
    );
  });

  it('refuses every ioctl that reserves room on the disk, and no other', () => {
    const reserving = [0x0a, 0x24, 0x28, 0x29, 0x2a, 0x2b, 0x39].map((number) => 0x40305800 + number);
    expect(reserving.map((command) => ask(ioctl, 1, command))).toEqual(reserving.map(() => EOPNOTSUPP));
    const [terminal, window, clone] = [0x5401, 0x5413, 0x40049409];
    for (const command of [0, terminal, window, clone, 0x403057ff, 0x40305900, 0xc0045877]) {
      expect(ask(ioctl, 1, command)).toBe(ALLOWED);
    }
  });

  it('knows sockets of unix, of the internet and of netlink only', () => {
    expect([1, 2, 10, 16].map((family) => ask(socket, family))).toEqual([ALLOWED, ALLOWED, ALLOWED, ALLOWED]);
    expect([0, 17, 38, 40, 44].filter((family) => ask(socket, family) !== EAFNOSUPPORT)).toEqual([]);
  });

  it('lets everything else pass', () => {
    const known = new Set([...Object.values(refused), ...Object.values(unsupported), clone3, socket]);
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

describe.each(['x64', 'arm64'])('the filter of builds for %s', (name) => {
  const program = roomFilter(name)!;
  const { architecture, foreignFallocate, unsupported, refused, clone, ioctl, socket } = callNumbers[name]!;
  const ask = (number: number, ...args: number[]) => judge(program, { architecture, number, args });

  it('refuses what reserves room on the disk, by whatever call', () => {
    expect([ask(unsupported.fallocate!), ask(ioctl, 1, 0x40305828)]).toEqual([EOPNOTSUPP, EOPNOTSUPP]);
    expect(judge(program, { architecture: 0x40000003, number: foreignFallocate })).toBe(EOPNOTSUPP);
    expect(ask(refused.io_uring_setup!)).toBe(ENOSYS);
  });

  it('and nothing else', () => {
    expect([ask(clone, CLONE_NEWUSER), ask(ioctl, 1, 0x5401), ask(socket, 40), ask(refused.mount!)]).toEqual(
      Array.from({ length: 4 }, () => ALLOWED),
    );
    expect(judge(program, { architecture: 0x40000003, number: 4 })).toBe(ALLOWED);
  });
});
