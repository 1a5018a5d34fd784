import { invalid } from '../../lib/fault.ts';

/** What the engines keep for themselves, and words that mean something else in their rules of access. */
const reserved = new Set([
  'all',
  'information_schema',
  'mariadb',
  'mysql',
  'none',
  'performance_schema',
  'postgres',
  'public',
  'replication',
  'root',
  'samegroup',
  'samerole',
  'sameuser',
  'sys',
  'template0',
  'template1',
  // Folders beside those of MySQL's databases.
  'tls',
  'tmp',
]);
const reservedBeginning = /^(?:lilac|pg_|mariadb_|mysql_)/;

/** Names of the database and of its owner inside the server. */
export function assertInnerName(field: 'databaseName' | 'adminUser', name: string): void {
  if (reserved.has(name) || reservedBeginning.test(name)) {
    throw invalid(`${field} must not be "${name}", which the server keeps for itself. Choose another name.`);
  }
}
