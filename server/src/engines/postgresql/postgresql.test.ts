import { describeEngine } from '../conformance.ts';
import { findPrograms, type PostgresqlPrograms } from './programs.ts';
import { openPostgresql } from './testing/postgresql-subject.ts';

for (const programs of newestAndOldest(await findPrograms(null))) {
  describeEngine(`PostgreSQL ${programs.series} (${programs.origin})`, () => openPostgresql(programs));
}

function newestAndOldest(found: PostgresqlPrograms[]): PostgresqlPrograms[] {
  return [...new Set([found[0], found.at(-1)])].filter((each) => each !== undefined);
}
