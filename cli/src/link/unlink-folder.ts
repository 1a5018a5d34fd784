import type { CommandRun } from '../frame/own-command.ts';
import { removeLink } from './link.ts';

export async function unlinkFolder({ link, isJson, print }: CommandRun): Promise<null> {
  if (link) removeLink(link.file);
  if (isJson) await print(`${JSON.stringify({ file: link?.file ?? null }, null, 2)}\n`);
  else await print(link ? `Took the link out of ${link.file}.\n` : 'This folder is not linked.\n');
  return null;
}
