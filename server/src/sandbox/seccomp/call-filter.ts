import { callNumbers, type CallNumbers } from './system-calls.ts';

/**
 * The program by which the kernel refuses system calls to a sandbox, as bubblewrap's `--seccomp` reads it.
 * Null for a processor whose calls we do not know.
 */
export function callFilter(architecture: string = process.arch): Buffer | null {
  const numbers = callNumbers[architecture];
  return numbers ? encode(filterFor(numbers)) : null;
}

/** As <linux/filter.h> has it: what to do, where to go on (counted from the next), with what. */
interface Instruction {
  code: number;
  ifTrue: number;
  ifFalse: number;
  value: number;
}

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;

/** Offsets in `struct seccomp_data`; both processors keep the low half of an argument first. */
const CALL = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

const ALLOW = 0x7fff0000;
const FAIL = 0x00050000;
const NOT_PERMITTED = FAIL | 1;
/** Programs then do it another way: glibc tries `clone` where there is no `clone3`. */
const NOT_IMPLEMENTED = FAIL | 38;

/** CLONE_NEWNS, …CGROUP, …UTS, …IPC, …USER, …PID, …NET, …TIME. */
const NAMESPACES = 0x7e020080;

/** `clone3` keeps its flags in memory, where a filter cannot look: it is said not to exist. */
function filterFor({ architecture, foreignFrom, refused, clone, clone3, unshare }: CallNumbers): Instruction[] {
  const tests: Instruction[] = [
    ...(foreignFrom === null ? [] : [jump(JUMP_IF_AT_LEAST, foreignFrom, 'unknown')]),
    ...Object.values(refused).map((call) => jump(JUMP_IF_EQUAL, call, 'refused')),
    jump(JUMP_IF_EQUAL, clone3, 'unknown'),
    jump(JUMP_IF_EQUAL, clone, 'flags'),
    jump(JUMP_IF_EQUAL, unshare, 'flags'),
  ].map(({ code, value, to }, index, all) => {
    const ends = { flags: 1, refused: 3, unknown: 4 };
    return { code, value, ifTrue: all.length - index - 1 + ends[to], ifFalse: 0 };
  });
  return [
    load(ARCHITECTURE),
    { code: JUMP_IF_EQUAL, value: architecture, ifTrue: 1, ifFalse: 0 },
    giveBack(NOT_IMPLEMENTED),
    load(CALL),
    ...tests,
    giveBack(ALLOW),
    load(FIRST_ARGUMENT),
    { code: JUMP_IF_ANY_BIT, value: NAMESPACES, ifTrue: 0, ifFalse: 2 },
    giveBack(NOT_PERMITTED),
    giveBack(NOT_IMPLEMENTED),
    giveBack(ALLOW),
  ];
}

const load = (offset: number): Instruction => ({ code: LOAD, value: offset, ifTrue: 0, ifFalse: 0 });
const giveBack = (value: number): Instruction => ({ code: RETURN, value, ifTrue: 0, ifFalse: 0 });
const jump = (code: number, value: number, to: 'flags' | 'refused' | 'unknown') => ({ code, value, to });

function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [index, { code, ifTrue, ifFalse, value }] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}
