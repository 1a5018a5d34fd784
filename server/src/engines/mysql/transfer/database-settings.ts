import { escape } from 'mysql2';
import type { RowDataPacket } from 'mysql2/promise';
import { connectAsOwner } from '../connect.ts';
import type { DumpAccount } from './dump-account.ts';

/**
 * What new tables are made with, and what is said of the database: `mariadb-dump` writes it only with the name of the
 * database, which is another one where the dump is loaded. Empty where it is as every new database is.
 */
export async function readDatabaseSettings(home: string, databaseName: string, account: DumpAccount): Promise<string> {
  await using session = await connectAsOwner(home, { ...account, databaseName });
  const [[row]] = await session.connection.query<RowDataPacket[]>(
    `select default_character_set_name as letters, default_collation_name as collation, schema_comment as comment,
       default_collation_name = @@global.collation_server and schema_comment = '' as isUsual
     from information_schema.schemata where schema_name = ?`,
    [databaseName],
  );
  if (!row || Number(row['isUsual']) === 1) return '';
  const comment = row['comment'] ? ` /*M!100501 COMMENT = ${escape(String(row['comment']))} */` : '';
  return (
    '/*!40101 SET NAMES utf8mb4 */;\n' +
    `ALTER DATABASE CHARACTER SET = ${row['letters']} COLLATE = ${row['collation']}${comment};\n\n`
  );
}
