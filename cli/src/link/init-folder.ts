import { basename } from 'node:path';
import type { CommandRun } from '../frame/own-command.ts';
import { UsageError } from '../frame/usage-error.ts';
import { askText, canAsk, pick } from '../terminal/ask.ts';
import { linkTo, listApplications, toChoice } from './link-folder.ts';

export async function initFolder(run: CommandRun): Promise<null> {
  const { app, name } = run.body as { app?: string; name?: string };
  if (app !== undefined && name !== undefined) {
    throw new UsageError('Name an application that is there, or give --name for a new one: not both.');
  }
  if (app !== undefined) await linkTo(run, app);
  else if (name !== undefined) await deployNew(run, name);
  else await ask(run);
  return null;
}

async function ask(run: CommandRun): Promise<void> {
  if (!canAsk(run)) {
    throw new UsageError('Name the application (lilac init <app>), or give --name to make a new one of this folder.');
  }
  const { found, isMore } = await listApplications(run);
  const choices = [
    { label: 'A new one: this folder is deployed now', value: null },
    ...found.map(toChoice),
    ...(isMore ? [{ label: 'Another: I type its name', value: undefined }] : []),
  ];
  const chosen = await pick(run, 'Which application is this folder?', choices);
  if (chosen === null) await deployNew(run, await askText(run, 'Its name', basename(run.cwd)));
  else await linkTo(run, chosen ?? (await askText(run, 'Its name or subdomain')));
}

async function deployNew(run: CommandRun, name: string): Promise<void> {
  const { deployFolder } = await import('../deploy/deploy-folder.ts');
  await deployFolder({ ...run, body: { name, folder: '.' } });
}
