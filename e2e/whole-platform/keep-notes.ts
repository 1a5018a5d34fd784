import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { DatabaseType } from '../../contract/src/states.ts';
import { visit } from '../deploying.ts';
import { notesApp } from '../notes-app.ts';
import { until } from '../platform.ts';
import { openWebSocket } from '../websocket.ts';
import { scale, variableFor, type Scene } from './scene.ts';

/** Steps about a server and its databases. */

/** It finds them from its next release on, which is nothing to those who are connected to another server. */
export async function findsItsDatabases(scene: Scene): Promise<void> {
  const { deployer, notes, server } = scene;
  const { client, targetOrganisationId } = deployer;
  await scale(scene, notes, [1, 1]);
  const echo = await openWebSocket(server.url);
  const events = await openEvents(server.url);
  expect(await echo.say('before')).toBe('before');
  for (const [type, databaseId] of databasesOf(scene)) {
    const link = { databaseId, environmentId: notes.environmentId, variable: variableFor[type] };
    await client.call('databases.connect', { body: { targetOrganisationId, ...link } });
  }
  await deployer.healthy(await deployer.deploy(notes, notesApp()));
  expect(await echo.say('after')).toBe('after');
  const before = events.count();
  await until('events go on', () => events.count() > before + 10);
  expect([echo.isOpen(), events.isOpen()]).toEqual([true, true]);
  echo.close();
  events.close();
}

export async function keepsNotes(scene: Scene): Promise<void> {
  for (const [type] of databasesOf(scene)) {
    expect(await visit(scene.notes.url, `/${type}?add=first`)).toMatchObject({ status: 200, body: 'first' });
    expect((await visit(scene.notes.url, `/${type}?add=Gr%C3%BC%C3%9Fe%20%F0%9F%8C%B7`)).body).toBe('first\nGrüße 🌷');
  }
}

/** The old password is good for nothing at once: the instances are given the new one. */
export async function isGivenNewPasswords(scene: Scene): Promise<void> {
  for (const [type, databaseId] of databasesOf(scene)) {
    await scene.databases.rotate(databaseId);
    await until('it has the new password', async () => (await visit(scene.notes.url, `/${type}`)).status === 200);
    expect((await visit(scene.notes.url, `/${type}`)).body).toBe('first\nGrüße 🌷');
  }
}

export async function getsItsNotesBack(scene: Scene): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-e2e-dumps-'));
  const { client, targetOrganisationId } = scene.deployer;
  try {
    for (const [type, databaseId] of databasesOf(scene)) {
      const addressed = { targetOrganisationId, databaseId };
      const { downloadUrl, size } = await client.call('databases.dump', { body: addressed });
      const bytes = Buffer.from(await (await fetch(downloadUrl)).arrayBuffer());
      expect(bytes.length).toBe(size);
      const path = join(folder, `${type}.sql.gz`);
      writeFileSync(path, bytes);
      const drop = { statement: 'drop table notes', readOnly: false };
      await client.call('databases.explorer.query', { body: { ...addressed, ...drop } });
      await scene.databases.importFile(databaseId, path);
      expect((await visit(scene.notes.url, `/${type}`)).body).toBe('first\nGrüße 🌷');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const databasesOf = ({ databaseIds }: Scene) => Object.entries(databaseIds) as [DatabaseType, string][];

async function openEvents(url: string) {
  const { host, port } = new URL(url);
  const asked = request({ host: '127.0.0.1', port, path: '/events', headers: { host } });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let count = 0;
  let isOpen = true;
  answer.setEncoding('utf8').on('data', (chunk: string) => (count += chunk.split('data:').length - 1));
  answer.on('close', () => (isOpen = false)).on('error', () => {});
  return { count: () => count, isOpen: () => isOpen, close: () => asked.destroy() };
}
