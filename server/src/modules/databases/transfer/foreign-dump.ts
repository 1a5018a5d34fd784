import type { DatabaseType } from '@lilac/contract/states';
import { LoadFailed } from '../../../engines/transfer.ts';

/** How the files of the programs that write dumps begin, and ours. */
const beginnings: Record<DatabaseType, RegExp> = {
  postgresql: /^(?:--\s*)*-- (?:PostgreSQL database (?:cluster )?dump|Lilac dump of a PostgreSQL database)\b/,
  mysql:
    /^(?:\/\*M?!\d+\\- enable the sandbox mode \*\/\s*)?(?:--\s*)*-- (?:(?:MySQL|MariaDB) dump |phpMyAdmin SQL Dump|Lilac dump of a MySQL database)/,
};

const labels: Record<DatabaseType, string> = { postgresql: 'PostgreSQL', mysql: 'MySQL or MariaDB' };

/** Which kind of database the text was written from; null where its beginning does not tell. */
export function kindOfDump(head: string): DatabaseType | null {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  if (beginnings.postgresql.test(text)) return 'postgresql';
  return beginnings.mysql.test(text) ? 'mysql' : null;
}

/** Enough for a beginning. */
const HEAD_BYTES = 400;

/** Refuses a dump of the other kind at once: its first statement that fails would say little. */
export async function* refuseForeign(source: AsyncIterable<Buffer>, type: DatabaseType): AsyncIterable<Buffer> {
  let held: Buffer | null = Buffer.alloc(0);
  for await (const piece of source) {
    if (!held) {
      yield piece;
      continue;
    }
    held = Buffer.concat([held, piece]);
    if (held.length < HEAD_BYTES) continue;
    yield checked(held, type);
    held = null;
  }
  if (held && held.length > 0) yield checked(held, type);
}

function checked(head: Buffer, type: DatabaseType): Buffer {
  const kind = kindOfDump(head.toString('utf8', 0, HEAD_BYTES));
  if (kind === null || kind === type) return head;
  throw new LoadFailed(
    `This is a dump of ${labels[kind]}, and this database is ${labels[type]}. Import it into a database of its own ` +
      'kind, or convert it first.',
  );
}
