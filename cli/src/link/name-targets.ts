import type { Lilac } from '@lilac/sdk';
import { findDatabase } from '../databases/find-database.ts';
import type { Command } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import type { Flag } from '../frame/flag.ts';
import type { Arguments } from '../frame/parse-arguments.ts';
import { chooseOrganisation } from '../session/choose-organisation.ts';
import { isTarget } from './left-to-link.ts';
import { linkFor, resolveApplication, resolveEnvironment } from './resolve-target.ts';

/**
 * Puts ids where names of applications, environments and databases were given, and another environment of the linked
 * application where `--env` says so.
 */
export async function nameTargets(
  command: Command,
  { input }: Arguments,
  { context, lilac }: { context: Context; lilac: Lilac },
): Promise<void> {
  for (const flag of command.flags.filter((each) => isTarget(each) || isDatabase(each))) {
    const values = input[flag.part]!;
    const named = values[flag.key] as string;
    if (flag.key === 'databaseId') {
      values[flag.key] = named.startsWith('db_') ? named : await databaseNamed(named, { context, lilac });
    } else if (flag.key === 'applicationId') {
      if (!named.startsWith('app_')) values[flag.key] = (await resolveApplication(context, lilac, named)).applicationId;
    } else if (!named.startsWith('env_') || context.flags.environment !== undefined) {
      const isLinked = named === linkFor(context)?.environmentId;
      const { environmentId } = await resolveEnvironment(context, lilac, isLinked ? undefined : named);
      values[flag.key] = environmentId;
    }
  }
}

const isDatabase = ({ key, kind, isRequired }: Flag) => isRequired && kind === 'text' && key === 'databaseId';

async function databaseNamed(named: string, { context, lilac }: { context: Context; lilac: Lilac }): Promise<string> {
  return await findDatabase(lilac, await chooseOrganisation(context, lilac), named);
}
