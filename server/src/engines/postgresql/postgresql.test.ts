import { describeEngine } from '../conformance.ts';
import { findPrograms } from './programs.ts';
import { newestAndOldest, openPostgresql } from './testing/postgresql-subject.ts';

for (const programs of newestAndOldest(await findPrograms(null))) {
  describeEngine(`PostgreSQL ${programs.series} (${programs.origin})`, () => openPostgresql(programs));
}
