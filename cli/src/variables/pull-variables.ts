import { existsSync, lstatSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Variables } from '@lilac/contract/variable-changes';
import { replaceFile } from '../files/replace-file.ts';
import { GaveUp } from '../frame/gave-up.ts';
import type { CommandOutcome, CommandRun } from '../frame/own-command.ts';
import { UsageError } from '../frame/usage-error.ts';
import { resolveEnvironment } from '../link/resolve-target.ts';
import { openLilac } from '../session/open-lilac.ts';
import { canAsk, confirm } from '../terminal/ask.ts';
import { plainText } from '../terminal/printable.ts';
import { changeLines } from './change-lines.ts';
import { formatEnvFile, parseEnvFile } from './env-file.ts';
import { readText, readVariables } from './push-variables.ts';

const OWNER_ONLY = 0o600;

interface Wanted {
  file?: string;
  app?: string;
  yes?: boolean;
  showValues?: boolean;
}

/** Writes the variables of an environment into a file that only its owner reads. */
export async function pullVariables(run: CommandRun): Promise<CommandOutcome | null> {
  const { file = '.env', app, yes = false, showValues = false } = run.body as Wanted;
  const lilac = await openLilac(run);
  const { environmentId, organisationId } = await resolveEnvironment(run, lilac, app);
  const variables = await readVariables(lilac, { environmentId, targetOrganisationId: organisationId });
  const text = formatEnvFile(variables);
  if (file === '-') {
    await run.print(run.isJson ? `${JSON.stringify(variables, null, 2)}\n` : text);
    return null;
  }
  const path = resolve(run.cwd, file);
  if (existsSync(path) && !yes) await assertMayReplace(run, { path, file, variables, showsValues: showValues });
  writeFile(path, text);
  const names = Object.keys(variables).toSorted();
  return {
    answer: { id: environmentId, file, names },
    note: 'These are secrets: keep the file out of your repository.',
  };
}

interface Replacing {
  path: string;
  file: string;
  variables: Variables;
  showsValues: boolean;
}

/** What is in the file now is lost, comments too. */
async function assertMayReplace(run: CommandRun, { path, file, variables, showsValues }: Replacing): Promise<void> {
  if (!lstatSync(path).isFile()) throw new UsageError(`"${file}" is no file of its own. Name another.`);
  if (!canAsk(run)) throw new UsageError(`${file} is there already. Add --yes to replace it, or name another file.`);
  const changes = changesIn(path, file, { variables, showsValues });
  run.complain(changes.length === 0 ? `${file} has the same variables already.\n` : `${changes.join('\n')}\n`);
  if (!(await confirm(run, `Replace ${file}?`))) throw new GaveUp('Nothing was written.');
}

function changesIn(path: string, file: string, { variables, showsValues }: Omit<Replacing, 'path' | 'file'>): string[] {
  try {
    return changeLines(parseEnvFile(readText(path), file), variables, { showsValues });
  } catch (error) {
    if (error instanceof UsageError) return [`${file} is there already, and is no file of variables.`];
    throw error;
  }
}

function writeFile(path: string, text: string): void {
  if (!existsSync(dirname(path)))
    throw new UsageError(`There is no folder ${plainText(dirname(path))}. Make it first.`);
  try {
    replaceFile(path, text, OWNER_ONLY);
  } catch (error) {
    throw new GaveUp(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}
