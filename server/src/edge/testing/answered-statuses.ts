/** Every status that was said on a connection of HTTP/1.1, also of the answers after the first. */
export function statusesOfHttp1(reply: Buffer): number[] {
  return [...reply.toString('latin1').matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status));
}

const HEADERS = 1;
const [PADDED, PRIORITY] = [0x8, 0x20];
const FRAME_HEAD_BYTES = 9;

/**
 * The same of HTTP/2 (RFC 9113, 4 and 6.2), for a client that has said that no table may be kept. Null is one that
 * cannot be told: whoever changes what the client says may have let the server keep one.
 */
export function statusesOfHttp2(reply: Buffer): (number | null)[] {
  const statuses: (number | null)[] = [];
  for (let at = 0; at + FRAME_HEAD_BYTES <= reply.length;) {
    const length = reply.readUIntBE(at, 3);
    const [kind, flags] = [reply[at + 3], reply[at + 4]!];
    const content = reply.subarray(at + FRAME_HEAD_BYTES, at + FRAME_HEAD_BYTES + length);
    if (kind === HEADERS && content.length === length) statuses.push(...statusIn(blockOf(content, flags)));
    at += FRAME_HEAD_BYTES + length;
  }
  return statuses;
}

function blockOf(content: Buffer, flags: number): Buffer {
  const padding = flags & PADDED ? 1 + content[0]! : 0;
  const start = (flags & PADDED ? 1 : 0) + (flags & PRIORITY ? 5 : 0);
  return content.subarray(start, content.length - Math.max(0, padding - 1));
}

/** The statuses that have a number of their own (RFC 7541, appendix A), from 8 on. */
const [FIRST_STATUS, KNOWN_STATUSES] = [8, [200, 204, 206, 304, 400, 404, 500]];
const isStatus = (index: number) => index >= FIRST_STATUS && index < FIRST_STATUS + KNOWN_STATUSES.length;
const FIRST_KEPT = 62;

/** It comes before all other fields; what ends a body has none. */
function statusIn(block: Buffer): (number | null)[] {
  let at = 0;
  // How large the table may be, which is said first.
  while (at < block.length && block[at]! >> 5 === 1) at = integer(block, at, 5).next;
  if (at >= block.length) return [];
  const isWhole = block[at]! >= 0x80;
  const { value: index, next } = integer(block, at, isWhole ? 7 : block[at]! >= 0x40 ? 6 : 4);
  if (isWhole && index >= FIRST_KEPT) return [null];
  if (!isStatus(index)) return [];
  if (isWhole) return [KNOWN_STATUSES[index - FIRST_STATUS]!];
  const { value: length, next: textAt } = integer(block, next, 7);
  const text = block.subarray(textAt, textAt + length);
  return [Number(block[next]! >= 0x80 ? digitsOf(text) : text.toString('latin1'))];
}

/** RFC 7541, 5.1. */
function integer(bytes: Buffer, at: number, prefixBits: number): { value: number; next: number } {
  const most = 2 ** prefixBits - 1;
  let value = bytes[at]! & most;
  let next = at + 1;
  if (value < most) return { value, next };
  for (let shift = 0; next < bytes.length; shift += 7) {
    const byte = bytes[next++]!;
    value += (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return { value, next };
}

/** Huffman's code, as far as there are digits in it: 0 to 2 have five bits, the others six (RFC 7541, appendix B). */
function digitsOf(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  let digits = '';
  for (let at = 0; at + 5 <= bits.length;) {
    const short = parseInt(bits.slice(at, at + 5), 2);
    if (short <= 2) {
      digits += short;
      at += 5;
      continue;
    }
    const long = parseInt(bits.slice(at, at + 6), 2) - 0b011001;
    if (at + 6 > bits.length || long < 0 || long > 6) break;
    digits += long + 3;
    at += 6;
  }
  return digits;
}
