import { buffer } from 'node:stream/consumers';
import { Fault } from '../../lib/fault.ts';
import type { ObjectStore } from '../../objects/object-store.ts';

const GZIP = Buffer.from([0x1f, 0x8b]);
/** How `pg_dump -Fc` begins, and tar archives of it do not: neither is text. */
const CUSTOM_FORMAT = Buffer.from('PGDMP');

/** Whether it can be a dump at all; what is in it is seen when it is imported. */
export async function inspectDump({
  objects,
  key,
  contentType,
}: {
  objects: Pick<ObjectStore, 'read'>;
  key: string;
  contentType: string;
}): Promise<null> {
  const start = await buffer(objects.read(key, { start: 0, end: CUSTOM_FORMAT.length }));
  if (start.length === 0) throw new Fault('AR001', 'The file is empty.');
  const isGzip = start.subarray(0, GZIP.length).equals(GZIP);
  if (isGzip !== contentType.endsWith('gzip')) {
    const found = isGzip ? 'is compressed: say application/gzip' : 'is not compressed: say application/sql';
    throw new Fault('AR001', `The upload was announced as ${contentType}, and the file ${found}.`);
  }
  if (start.equals(CUSTOM_FORMAT)) {
    throw new Fault(
      'AR001',
      'This is a dump in the custom format of pg_dump. Make one in plain text: pg_dump --format=plain.',
    );
  }
  return null;
}
