import { callNumbers, type CallNumbers } from './system-calls.ts';

/**
 * The program by which the kernel refuses system calls to a sandbox, as bubblewrap's `--seccomp` reads it.
 * Null for a processor whose calls we do not know.
 */
export function callFilter(architecture: string = process.arch): Buffer | null {
  const numbers = callNumbers[architecture];
  return numbers ? encode(filterFor(numbers)) : null;
}

/**
 * The same for builds, whose tools need more: refused is only what takes room on the disk without writing it.
 * Linkers that reserve their output (Go's, LLVM's, gold, mold) go on without where a file system cannot.
 */
export function roomFilter(architecture: string = process.arch): Buffer | null {
  const numbers = callNumbers[architecture];
  return numbers ? encode(roomFilterFor(numbers)) : null;
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
const SECOND_ARGUMENT = 24;

const ALLOW = 0x7fff0000;
const FAIL = 0x00050000;
const NOT_PERMITTED = FAIL | 1;
/** Programs then do it another way: glibc tries `clone` where there is no `clone3`. */
const NOT_IMPLEMENTED = FAIL | 38;
/** As file systems say that do not know it: glibc then writes what it was to reserve. */
const NOT_SUPPORTED = FAIL | 95;
const NO_SUCH_FAMILY = FAIL | 97;

/** CLONE_NEWNS, …CGROUP, …UTS, …IPC, …USER, …PID, …NET, …TIME. */
export const NAMESPACES = 0x7e020080;

/** F_SETLEASE, F_SETDELEG: whoever opens the file next, be it the platform, would wait for the instance. */
export const LEASES = [1024, 1040];

/** FS_IOC_RESVSP and its like (`_IOW('X', …, struct space_resv)`): each takes room on the disk as `fallocate` does. */
const RESERVATIONS = { from: 0x40305800, before: 0x40305900 };

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: the others (AF_VSOCK) know no network namespaces, or need no server. */
export const ADDRESS_FAMILIES = [1, 2, 10, 16];

function filterFor({ architecture, foreignFrom, refused, unsupported, ...numbers }: CallNumbers): Instruction[] {
  const { clone, clone3, unshare, fcntl, ioctl, socket } = numbers;
  const namespaces = byArgument(FIRST_ARGUMENT, [[JUMP_IF_ANY_BIT, NAMESPACES, NOT_PERMITTED]], ALLOW);
  return [
    load(ARCHITECTURE),
    { code: JUMP_IF_EQUAL, value: architecture, ifTrue: 1, ifFalse: 0 },
    giveBack(NOT_IMPLEMENTED),
    load(CALL),
    ...(foreignFrom === null ? [] : when(JUMP_IF_AT_LEAST, foreignFrom, [giveBack(NOT_IMPLEMENTED)])),
    ...Object.values(refused).flatMap((call) => onCall(call, [giveBack(NOT_PERMITTED)])),
    ...Object.values(unsupported).flatMap((call) => onCall(call, [giveBack(NOT_SUPPORTED)])),
    // It keeps its flags in memory, where a filter cannot look: it is said not to exist.
    ...onCall(clone3, [giveBack(NOT_IMPLEMENTED)]),
    ...onCall(clone, namespaces),
    ...onCall(unshare, namespaces),
    ...onCall(fcntl, byArgument(SECOND_ARGUMENT, LEASES.map(equals(NOT_PERMITTED)), ALLOW)),
    ...onCall(ioctl, byArgument(SECOND_ARGUMENT, reservations, ALLOW)),
    ...onCall(socket, byArgument(FIRST_ARGUMENT, ADDRESS_FAMILIES.map(equals(ALLOW)), NO_SUCH_FAMILY)),
    giveBack(ALLOW),
  ];
}

function roomFilterFor({ architecture, foreignFrom, foreignFallocate, unsupported, refused, ioctl }: CallNumbers) {
  return [
    load(ARCHITECTURE),
    { code: JUMP_IF_EQUAL, value: architecture, ifTrue: 4, ifFalse: 0 },
    // Programs of 32 bits.
    load(CALL),
    ...onCall(foreignFallocate, [giveBack(NOT_SUPPORTED)]),
    giveBack(ALLOW),
    load(CALL),
    ...(foreignFrom === null ? [] : when(JUMP_IF_AT_LEAST, foreignFrom, [giveBack(NOT_IMPLEMENTED)])),
    ...onCall(unsupported.fallocate!, [giveBack(NOT_SUPPORTED)]),
    // It would do all of that too, where no filter looks.
    ...onCall(refused.io_uring_setup!, [giveBack(NOT_IMPLEMENTED)]),
    ...onCall(ioctl, byArgument(SECOND_ARGUMENT, reservations, ALLOW)),
    giveBack(ALLOW),
  ];
}

/** How to compare, with what, and what is answered if it is so. */
type Test = [code: number, value: number, answer: number];

const equals =
  (answer: number) =>
  (value: number): Test => [JUMP_IF_EQUAL, value, answer];

const reservations: Test[] = [
  [JUMP_IF_AT_LEAST, RESERVATIONS.before, ALLOW],
  [JUMP_IF_AT_LEAST, RESERVATIONS.from, NOT_SUPPORTED],
];

const byArgument = (offset: number, tests: readonly Test[], otherwise: number): Instruction[] => [
  load(offset),
  ...tests.flatMap(([code, value, answer]) => when(code, value, [giveBack(answer)])),
  giveBack(otherwise),
];

const onCall = (call: number, then: readonly Instruction[]): Instruction[] => when(JUMP_IF_EQUAL, call, then);
const when = (code: number, value: number, then: readonly Instruction[]): Instruction[] => [
  { code, value, ifTrue: 0, ifFalse: then.length },
  ...then,
];
const load = (offset: number): Instruction => ({ code: LOAD, value: offset, ifTrue: 0, ifFalse: 0 });
const giveBack = (value: number): Instruction => ({ code: RETURN, value, ifTrue: 0, ifFalse: 0 });

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
