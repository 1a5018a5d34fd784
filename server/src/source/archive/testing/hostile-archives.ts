import { deflateRawSync } from 'node:zlib';
import { makeZip, type ZipPart } from './make-zip.ts';

export interface HostileArchive {
  title: string;
  bytes: Buffer;
  /** What the refusal must speak of. */
  says: RegExp;
}

const beside: ZipPart = { name: 'index.html', content: '<h1>Hello</h1>' };
const one = (title: string, part: ZipPart, says: RegExp): HostileArchive => ({
  title,
  bytes: makeZip([beside, part]),
  says,
});
const whole = (title: string, bytes: Buffer, says: RegExp): HostileArchive => ({ title, bytes, says });
const file = (name: string, content = 'x'): ZipPart => ({ name, content });
const link = (name: string, target: string): ZipPart => ({ name, content: target, method: 0, mode: 0o120777 });

const names: HostileArchive[] = [
  one('a step up', file('../outside'), /leads out/),
  one('a step up within', file('a/../../outside'), /leads out/),
  one('a step up at the end', file('a/..'), /leads out/),
  one('an absolute path', file('/etc/cron.d/evil'), /absolute/),
  one('two slashes at the front', file('//server/share'), /absolute/),
  one('a drive letter', file('C:/windows/evil'), /absolute/),
  one('a drive letter behind a dot', file('./c:/evil'), /absolute/),
  one('a step up behind a dot', file('./../outside'), /leads out/),
  one('an absolute path behind a dot', file('.//etc/passwd'), /empty part/),
  one('backslashes', file('a\\..\\..\\outside'), /backslash/),
  one('backslashes in code page 437', { ...file('..\\outside'), flags: 0, system: 0 }, /backslash/),
  one('an empty part', file('a//b'), /empty part/),
  one('a part that is a dot', file('a/./b'), /single dot/),
  one('a dot', file('.'), /single dot/),
  one('no name at all', file(''), /empty/),
  one('a NUL character', file('a\u0000b'), /NUL/),
  one('a part of 256 bytes', file('ä'.repeat(128)), /too long/),
  one('a path of more than the system allows', file(`${'folder/'.repeat(600)}file`), /too long/),
  one('a path of 256 levels', file(`${'a/'.repeat(255)}f`), /255 levels/),
  one('a name that is not UTF-8 though it says so', { name: Buffer.from([0x61, 0xff]), content: 'x' }, /UTF-8/),
  whole('the same file twice', makeZip([file('a'), file('a', 'y')]), /twice/),
  whole('a file where a folder is needed', makeZip([file('a'), file('a/b')]), /both/),
  whole('a folder where a file is', makeZip([file('a/b'), file('a')]), /both/),
];

const deep = 'a/'.repeat(250);
const tangle = [file(`${deep}f`), ...Array.from({ length: 600 }, (_, index) => link(`l${index}`, `${deep}f`))];

const links: HostileArchive[] = [
  one('a link to an absolute path', link('l', '/etc/passwd'), /outside/),
  one('a link to above', link('l', '../outside'), /outside/),
  one('a link to above from a folder', link('a/l', '../../outside'), /outside/),
  one('a link that goes down and then up', link('l', 'a/../../outside'), /outside/),
  one('a link to nothing', link('l', ''), /outside/),
  one('a link with a NUL character', link('l', 'a\u0000b'), /outside/),
  one('a link as long as a book', link('l', 'a/'.repeat(3000)), /too long/),
  one('a link that only DOS says it is from', { ...link('l', '/etc'), system: 0 }, /outside/),
  whole('a link that another one makes lead out', makeZip([beside, link('a', '.'), link('b', 'a/..')]), /outside/),
  whole('a file written through a link', makeZip([beside, link('d', 'e'), file('e/x'), file('d/evil')]), /both/),
  whole('links that would take for ever to follow', makeZip([beside, ...tangle]), /too tangled/),
  whole('a link and a file of one name', makeZip([beside, link('d', 'e'), file('d')]), /twice/),
];

const kinds: HostileArchive[] = [
  ...[0o020000, 0o060000, 0o010000, 0o140000].map((type) =>
    one(`a file of type ${type.toString(8)}`, { ...file('dev'), mode: type | 0o666 }, /device, a pipe or a socket/),
  ),
  one('a password', { ...file('a'), flags: 0x801 }, /password/),
  one('strong encryption', { ...file('a'), flags: 0x841 }, /password/),
  one('another compression', { ...file('a'), method: 14, packed: Buffer.from('x') }, /deflate/),
];

const zeros = Buffer.alloc(40 * 1024 ** 2);
const implied = Array.from({ length: 500 }, (_, index) => file(`${index}/${'a/'.repeat(250)}f`));
const sizes: HostileArchive[] = [
  one('more than a gibibyte by its own word', { ...file('a'), declaredSize: 1024 ** 3 + 1 }, /1024 MiB are allowed/),
  one('a thousand times its size', { name: 'zeros', content: zeros }, /zip bomb/),
  whole('100,001 entries', makeZip([beside], { wideEntryCount: 100_001 }), /100001 entries; 100000 are allowed/),
  whole('more entries than there are atoms', makeZip([beside], { wideEntryCount: 2 ** 52 }), /are allowed/),
  whole('few files that imply more than 100,000 folders', makeZip(implied), /100000 files and folders/),
  whole('nothing', makeZip([]), /empty/),
  whole('only folders', makeZip([{ name: 'a/' }, { name: 'b/' }]), /empty/),
  whole('only what a Mac adds', makeZip([file('__MACOSX/._a'), file('.DS_Store')]), /empty/),
];

const shapes: HostileArchive[] = [
  whole('no bytes', Buffer.alloc(0), /empty/),
  whole('text', Buffer.from('hello'), /not a zip/),
  whole('another kind of archive', Buffer.concat([Buffer.from([0x1f, 0x8b]), deflateRawSync(zeros)]), /not a zip/),
  whole('the first half', makeZip([beside, file('b')]).subarray(0, 70), /incomplete/),
  whole('without its first half', makeZip([beside, file('b')]).subarray(40), /damaged|overlap/),
  whole('a part of several', makeZip([beside, file('b')], { disk: 1 }), /one part of several/),
  whole('fewer entries than it counts', makeZip([beside], { entryCount: 5 }), /damaged/),
  whole('more entries than it counts', makeZip([beside, file('b'), file('c')], { entryCount: 2 }), /damaged/),
  whole('a directory beyond the end', makeZip([beside], { directoryOffset: 0xffff_fff0 }), /damaged/),
  whole(
    'a single folder around everything',
    makeZip([{ name: 'my-site/' }, file('my-site/index.html'), file('__MACOSX/my-site/._x'), file('.DS_Store')]),
    /one folder, "my-site".*contents of that folder/,
  ),
];

/** The trick of the "better zip bomb": many entries share the bytes of one. */
function overlapping(): Buffer {
  const kernel = Buffer.alloc(100_000);
  const shared = { content: kernel, offset: 0 };
  const listed = Array.from({ length: 50 }, (_, index) => ({ ...shared, name: `bomb${index}`, isOnlyListed: true }));
  return makeZip([{ name: 'bomb', content: kernel }, ...listed]);
}

/** Told only by the local header: its extra field reaches over the next entry to the data of that. */
function overlappingByLocalHeader(): Buffer {
  const second = { name: 'b', content: 'the content of b', method: 0 };
  const gap = 30 + 1;
  const first = { name: 'a', content: 'the content of b', method: 0, packed: Buffer.alloc(16) };
  const plain = makeZip([first, second]);
  const reaching = Buffer.from(plain);
  reaching.writeUInt16LE(16 + gap, 28);
  return reaching;
}

export const hostileArchives: readonly HostileArchive[] = [
  ...names,
  ...links,
  ...kinds,
  ...sizes,
  ...shapes,
  whole('entries that share their bytes', overlapping(), /overlap/),
];

/** Seen only when they are unpacked: inspection trusts the directory's word for a moment, and unpacking does not. */
export const lyingArchives: readonly HostileArchive[] = [
  one('more bytes than it says', { name: 'a', content: Buffer.alloc(5000), declaredSize: 10 }, /damaged/),
  one('fewer bytes than it says', { name: 'a', content: 'abc', declaredSize: 10 }, /damaged/),
  one(
    'a large file with more bytes than it says',
    { name: 'a', content: zeros, declaredSize: 3 * 1024 ** 2, crc: 0 },
    /damaged/,
  ),
  one('a large file with another checksum', { name: 'a', content: zeros.subarray(0, 3e6), crc: 1 }, /damaged/),
  one('another checksum', { ...file('a'), crc: 1 }, /damaged/),
  one('data that is not compressed as it says', { name: 'a', content: 'x', packed: Buffer.from('ABC') }, /damaged/),
  one('compressed data that ends too early', { ...cutOff() }, /damaged/),
  whole('data that reaches over the next entry', overlappingByLocalHeader(), /overlap/),
];

function cutOff(): ZipPart {
  const content = Buffer.from('some text that is long enough to be cut off');
  return { name: 'a', content, packed: deflateRawSync(content).subarray(0, 20) };
}
