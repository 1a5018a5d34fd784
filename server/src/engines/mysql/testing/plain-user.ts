import { setTimeout as delay } from 'node:timers/promises';
import { makeDatabase, OWNER, specFor } from '../../conformance-subject.ts';
import { openMysql } from './mysql-subject.ts';

/**
 * A database with a standby that takes over, by a user that is not root, where files cannot share their blocks; prints
 * what came of it as JSON.
 */
await using subject = await openMysql();
const { engine } = subject;
const primary = await specFor(subject, 'dbs_one', { databaseId: 'db_pair' });
const standby = await specFor(subject, 'dbs_two', { databaseId: 'db_pair', role: 'standby' });
await makeDatabase(subject, primary);
await using client = await subject.connect({ ...OWNER, port: primary.port });
await client.query('create table numbers (n int primary key)');
const state = { acknowledged: 0, isStopped: false };
const writing = (async () => {
  while (!state.isStopped) {
    try {
      await using writer = await subject.connect({ ...OWNER, port: primary.port });
      for (; !state.isStopped; state.acknowledged++) {
        await writer.query(`insert ignore into numbers values (${state.acknowledged})`);
      }
    } catch {
      await delay(5);
    }
  }
})();
await engine.createStandby(primary, standby);
await engine.setSynchronous(primary, standby.id);
const isInStep = await engine.isInStep(primary, standby.id);
state.isStopped = true;
await writing;
await engine.kill(primary.id);
await engine.promote(standby);
await using after = await subject.connect({ ...OWNER, port: standby.port });
const [row] = await after.query('select count(*) as n from numbers');
const lost = state.acknowledged - Number(row?.['n']);
console.log(JSON.stringify({ isInStep, lost, hasWritten: state.acknowledged > 0 }));
