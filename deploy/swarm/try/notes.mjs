import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { createDatabases } from '../../../e2e/databases.ts';
import { until } from '../../../e2e/platform.ts';
import { callMachine } from './visitors.mjs';

const NOTES = 20;
const LOOK_EVERY_MS = 100;

/** An application with a managed database, which notes something through each machine. */
export async function keepNotes({ nodes, deployer }) {
  const files = await notesFiles();
  const databases = createDatabases(deployer);
  const [application, databaseId] = await Promise.all([
    deployer.createFromFiles('Notes', files, { deploymentType: 'container' }),
    databases.create('Notes', { databaseType: 'postgresql', publicIpEnabled: false }),
  ]);
  await Promise.all([databases.settled(databaseId), newestIsHealthy(deployer, application)]);
  const { client, targetOrganisationId } = deployer;
  const { environmentId } = application;
  const body = { targetOrganisationId, databaseId, environmentId, variable: 'DATABASE_URL' };
  await client.call('databases.connect', { body });
  await deployer.healthy(await deployer.deploy(application, files));
  const wanted = Array.from({ length: NOTES }, (_, at) => `note ${at + 1}`);
  for (const [at, text] of wanted.entries()) {
    const { address } = nodes[at % nodes.length];
    const { status, body: said } = await callMachine(address, application.url, `/?add=${encodeURIComponent(text)}`);
    assert.equal(status, 200, `A note could not be written: ${said}`);
  }
  return {
    count: NOTES,
    database: () => databases.get(databaseId),
    removeDatabase: () => databases.remove(databaseId),
    ...reading(application, wanted),
  };
}

function reading(application, wanted) {
  const read = (node, path) => callMachine(node.address, application.url, path).catch(() => null);
  /** Names the connection that the application has with its database: of every connection another. */
  async function session(node) {
    const answer = await read(node, '/session');
    assert.equal(answer?.status, 200, `The database is away: ${answer?.body}`);
    return answer.body;
  }
  /** Notes one thing more. */
  async function add(node, text) {
    const answer = await read(node, `/?add=${encodeURIComponent(text)}`);
    assert.equal(answer?.status, 200, `A note could not be written: ${answer?.body}`);
    wanted.push(text);
  }
  /** Waits for the database, and fails unless every note is there, once. */
  async function areThere(node) {
    let answer;
    const isRead = async () => (answer = await read(node))?.status === 200;
    await until('the notes are read', isRead, 600_000);
    assert.deepEqual(answer.body.split('\n'), wanted);
  }
  /** Looks on while something happens to the database; at the end all notes must be there. */
  function watch(node) {
    let [longestMs, readAt] = [0, performance.now()];
    let isAway = false;
    const ending = new AbortController();
    const looking = (async () => {
      while (!ending.signal.aborted) {
        isAway = (await read(node))?.status !== 200;
        longestMs = Math.max(longestMs, performance.now() - readAt);
        if (!isAway) readAt = performance.now();
        await delay(LOOK_EVERY_MS);
      }
    })();
    return {
      isAway: () => isAway,
      /** Resolves to how long it was away. */
      async end() {
        await areThere(node).finally(() => ending.abort());
        await looking;
        return longestMs;
      },
    };
  }
  return { session, add, areThere, watch };
}

async function newestIsHealthy(deployer, application) {
  await deployer.healthy((await deployer.newest(application)).id);
}

/** In one file, with the driver in it: a swarm that reaches no registry builds it too. */
async function notesFiles() {
  const input = join(import.meta.dirname, 'notes-server.mjs');
  const bundle = await rolldown({ input, platform: 'node', external: ['pg-native'], logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false });
  await bundle.close();
  return {
    'package.json': JSON.stringify({ name: 'notes', version: '1.0.0', private: true }),
    Procfile: 'web: exec node server.js\n',
    'server.js': output[0].code,
  };
}
