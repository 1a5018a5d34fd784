import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { changesBetween, patchBetween, type Variables } from '@lilac/contract/variable-changes';
import type { Lilac } from '@lilac/sdk';
import { GaveUp } from '../frame/gave-up.ts';
import type { CommandOutcome, CommandRun } from '../frame/own-command.ts';
import { UsageError } from '../frame/usage-error.ts';
import { resolveEnvironment } from '../link/resolve-target.ts';
import { openLilac } from '../session/open-lilac.ts';
import { canAsk, confirm } from '../terminal/ask.ts';
import { changeLines } from './change-lines.ts';
import { parseEnvFile } from './env-file.ts';

interface Wanted {
  file?: string;
  app?: string;
  replace?: boolean;
  yes?: boolean;
  showValues?: boolean;
}

interface Target {
  environmentId: string;
  targetOrganisationId: string | undefined;
}

/** Makes the variables of a file those of an environment; what the file does not name stays, unless it is replaced. */
export async function pushVariables(run: CommandRun): Promise<CommandOutcome> {
  const { file = '.env', app, replace = false, yes = false, showValues = false } = run.body as Wanted;
  const given = await readGiven(run, file);
  const lilac = await openLilac(run);
  const { environmentId, organisationId } = await resolveEnvironment(run, lilac, app);
  const target: Target = { environmentId, targetOrganisationId: organisationId };
  const before = await readVariables(lilac, target);
  const after = replace ? given : { ...before, ...given };
  const { added, changed, removed } = changesBetween(before, after);
  const answer = { id: environmentId, added, changed, removed };
  if (added.length + changed.length + removed.length === 0)
    return { answer, note: 'Nothing to change: all of it is so already.' };
  if (!run.isJson) run.complain(`${changeLines(before, after, { showsValues: showValues }).join('\n')}\n`);
  if (!yes) await assertWanted(run, removed);
  await send(lilac, target, { before, after });
  return { answer, note: 'It applies on the next build. To start one: lilac deploy' };
}

async function readGiven({ cwd, input }: CommandRun, file: string): Promise<Variables> {
  const text = file === '-' ? await input.readAll() : readText(resolve(cwd, file));
  const given = parseEnvFile(text, file === '-' ? 'standard input' : file);
  // An empty file is a mistake more often than the wish to have no variables.
  if (Object.keys(given).length === 0) throw new UsageError(`There is no variable in ${file}.`);
  return given;
}

export function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${file} is not valid UTF-8.`);
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new UsageError(code === 'ENOENT' ? `There is no file "${file}".` : `${file} cannot be read (${code}).`);
  }
}

export async function readVariables(lilac: Lilac, body: Target): Promise<Variables> {
  return (await lilac.call('environments.get', { body })).environment_vars;
}

async function assertWanted(run: CommandRun, removed: readonly string[]): Promise<void> {
  if (!canAsk(run) || run.isJson) {
    if (removed.length === 0) return;
    throw new UsageError(`This removes ${removed.join(', ')}. Add --yes to do it.`);
  }
  if (!(await confirm(run, 'Make these changes?'))) throw new GaveUp('Nothing was changed.');
}

/** Whoever has agreed to changes has seen what they change. */
async function send(lilac: Lilac, target: Target, { before, after }: { before: Variables; after: Variables }) {
  const { added, changed, removed } = changesBetween(before, await readVariables(lilac, target));
  const others = [...added, ...changed, ...removed];
  if (others.length > 0) {
    throw new GaveUp(
      `Somebody changed ${others.toSorted().join(', ')} in the meantime, and nothing was sent. Run it again to see what is to change now.`,
    );
  }
  await lilac.call('environments.update', { body: { ...target, environmentVarsPatch: patchBetween(before, after) } });
}
