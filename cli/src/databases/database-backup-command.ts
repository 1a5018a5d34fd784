import { switchFlag } from '../frame/flag.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { GaveUp } from '../frame/gave-up.ts';
import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { plainText } from '../terminal/printable.ts';
import { presentBackup, type Backup } from './render-backups.ts';
import { renderAnswer } from '../terminal/render.ts';

const LOOK_MS = 500;

interface Target {
  databaseId: string;
  targetOrganisationId?: string;
}

/** Whoever makes one before something dangerous wants to know that it is there. */
export const databaseBackupCommand: OwnCommand = {
  words: ['db', 'backup'],
  summary: 'Back a database up now',
  description:
    'Ends when the backup is whole and has been read back, and says how large it is. It goes on without this command ' +
    'too: "lilac db backups" says how it ends. One is made every day by itself.',
  endpoint: 'databases.backup',
  arguments: ['databaseId'],
  flags: [switchFlag('wait', 'return at once', { default: true })],
  run: backUp,
};

async function backUp(run: CommandRun): Promise<null> {
  const { client, body, signal, isJson, isTerminal, paper, print, complain } = run;
  const { wait = true, ...target } = body as unknown as Target & { wait?: boolean };
  const ordered = await client.call('databases.backup', { body: target, signal });
  if (wait && isTerminal && !isJson) complain('It is being written, and goes on without this command too.\n');
  const backup = wait ? await whenWritten(run, target, ordered) : ordered;
  await print(`${isJson ? JSON.stringify(backup, null, 2) : renderAnswer(presentBackup(backup), paper)}\n`);
  return null;
}

async function whenWritten({ client, signal }: CommandRun, target: Target, ordered: Backup): Promise<Backup> {
  for (let backup: Backup | undefined = ordered; ;) {
    if (!backup) throw new GaveUp('The backup is gone: its database was deleted meanwhile.');
    if (backup.status === 'ready') return backup;
    if (backup.status === 'failed')
      throw new GaveUp(`The backup failed: ${plainText(backup.error ?? 'no reason given')}`);
    await delay(LOOK_MS, undefined, { signal });
    const all: Backup[] = await client.call('databases.backups', { body: target, signal });
    backup = all.find(({ id }) => id === ordered.id);
  }
}
