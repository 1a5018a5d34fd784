import { changesBetween, patchBetween, type Variables } from '@lilac/contract/variable-changes';
import type { CommandOutcome, CommandRun } from '../frame/own-command.ts';
import { askForSecret, readSecret } from '../frame/secret-argument.ts';
import { UsageError } from '../frame/usage-error.ts';

export async function setVariables(run: CommandRun): Promise<CommandOutcome> {
  const given = await readAssignments(run);
  return changeVariables(run, (before) => ({
    after: { ...before, ...given },
    named: Object.keys(given),
  }));
}

export async function unsetVariables(run: CommandRun): Promise<CommandOutcome> {
  const odd = run.words.find((word) => word.includes('='));
  if (odd !== undefined) throw new UsageError(`Names only: "${odd.slice(0, odd.indexOf('='))}" without a value.`);
  return changeVariables(run, (before) => ({
    after: Object.fromEntries(Object.entries(before).filter(([name]) => !run.words.includes(name))),
    named: run.words,
  }));
}

/** Only what changes is sent: whatever others change at the same time stays. Where nothing changes nothing is sent, so that nothing is noted as changed. */
async function changeVariables(
  { client, body }: CommandRun,
  decide: (before: Variables) => { after: Variables; named: readonly string[] },
): Promise<CommandOutcome> {
  const target = body as { environmentId: string; targetOrganisationId?: string };
  const { environment_vars: before } = await client.call('environments.get', { body: target });
  const { after, named } = decide(before);
  const { added, changed, removed } = changesBetween(before, after);
  const isChange = added.length + changed.length + removed.length > 0;
  const environmentVarsPatch = patchBetween(before, after);
  if (isChange) await client.call('environments.update', { body: { ...target, environmentVarsPatch } });
  const answer = {
    id: target.environmentId,
    added,
    changed,
    removed,
    unchanged: named.filter((name) => Object.hasOwn(after, name) && after[name] === before[name]).toSorted(),
    not_set: named.filter((name) => !Object.hasOwn(before, name) && !Object.hasOwn(after, name)),
  };
  return { answer, note: isChange ? nextStep(target.environmentId) : 'Nothing was changed.' };
}

function nextStep(environmentId: string): string {
  return `It applies on the next build. To start one: lilac envs deploy ${environmentId}`;
}

async function readAssignments({ words, input }: CommandRun): Promise<Variables> {
  const pairs: [string, string][] = [];
  const bare = words.filter((word) => !word.includes('='));
  if (bare.length > 1 && !input.isTerminal) {
    throw new UsageError(`Standard input holds one value, not one for each of ${bare.join(', ')}.`);
  }
  for (const word of words) {
    const end = word.indexOf('=');
    if (end === 0) throw new UsageError(`There is no name before the = in "${word.slice(0, 1)}…".`);
    pairs.push(end === -1 ? [word, await readValue(word)] : [word.slice(0, end), word.slice(end + 1)]);
  }
  return Object.fromEntries(pairs);

  function readValue(name: string): Promise<string> {
    return input.isTerminal ? askForSecret(input, `Value of ${name}`) : readSecret(input);
  }
}
