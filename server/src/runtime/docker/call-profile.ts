import { ADDRESS_FAMILIES, LEASES, NAMESPACES } from '../../sandbox/seccomp/call-filter.ts';
import { callNumbers } from '../../sandbox/seccomp/system-calls.ts';

/** Rules of the kernel's filter as Docker reads them. */
interface CallRule {
  names: readonly string[];
  action: 'SCMP_ACT_ERRNO';
  errnoRet: number;
  args?: readonly CallArgument[];
}

interface CallArgument {
  index: number;
  value: number;
  valueTwo?: number;
  op: 'SCMP_CMP_EQ' | 'SCMP_CMP_GT' | 'SCMP_CMP_MASKED_EQ';
}

const NOT_PERMITTED = 1;
const NOT_IMPLEMENTED = 38;
const NOT_SUPPORTED = 95;
const NO_SUCH_FAMILY = 97;

/**
 * FS_IOC_ALLOCSP, …FREESP, …RESVSP, …UNRESVSP, their forms of 64 bits, …ZERO_RANGE: a rule of Docker knows no range.
 */
const RESERVATIONS = [
  0x4030580a, 0x4030580b, 0x40305824, 0x40305825, 0x40305828, 0x40305829, 0x4030582a, 0x4030582b, 0x40305839,
];

/**
 * The filter of the sandbox, in Docker's words. Docker's own would let an instance reserve room on the disk behind
 * the end of its output, which lies on the machine. Null, and so Docker's own, for processors whose calls we do not
 * know.
 */
export function callProfile(architecture: string = process.arch): string | null {
  const numbers = callNumbers[architecture];
  if (!numbers) return null;
  const { refused, unsupported } = numbers;
  const syscalls: CallRule[] = [
    refuse(Object.keys(refused), NOT_PERMITTED),
    refuse(Object.keys(unsupported), NOT_SUPPORTED),
    refuse(['clone3'], NOT_IMPLEMENTED),
    ...bitsOf(NAMESPACES).map((bit) => refuse(['clone', 'unshare'], NOT_PERMITTED, hasBit(0, bit))),
    ...LEASES.map((value) => refuse(['fcntl'], NOT_PERMITTED, is(1, value))),
    ...RESERVATIONS.map((value) => refuse(['ioctl'], NOT_SUPPORTED, is(1, value))),
    ...otherFamilies().map((argument) => refuse(['socket'], NO_SUCH_FAMILY, argument)),
  ];
  return JSON.stringify({ defaultAction: 'SCMP_ACT_ALLOW', syscalls });
}

function refuse(names: readonly string[], errnoRet: number, argument?: CallArgument): CallRule {
  return { names, action: 'SCMP_ACT_ERRNO', errnoRet, ...(argument && { args: [argument] }) };
}

const is = (index: number, value: number): CallArgument => ({ index, value, op: 'SCMP_CMP_EQ' });
const hasBit = (index: number, bit: number): CallArgument => ({
  index,
  value: bit,
  valueTwo: bit,
  op: 'SCMP_CMP_MASKED_EQ',
});

const bitsOf = (mask: number): number[] =>
  Array.from({ length: 31 }, (_, index) => 2 ** index).filter((bit) => (mask & bit) !== 0);

/** All but those that are let through. */
function otherFamilies(): CallArgument[] {
  const last = Math.max(...ADDRESS_FAMILIES);
  const below = Array.from({ length: last }, (_, family) => family).filter(
    (family) => !ADDRESS_FAMILIES.includes(family),
  );
  return [...below.map((family) => is(0, family)), { index: 0, value: last, op: 'SCMP_CMP_GT' }];
}
