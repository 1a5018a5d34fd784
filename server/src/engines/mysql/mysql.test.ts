import { describeEngine } from '../conformance.ts';
import { findPrograms } from './programs.ts';
import { openMysql } from './testing/mysql-subject.ts';

const { programs } = await findPrograms();

for (const { series } of programs ? [programs] : []) describeEngine(`MariaDB ${series}`, () => openMysql());
