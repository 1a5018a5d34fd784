import { planLimits, plans, type Plan } from '@lilac/contract/plans';
import { Option, type Command } from 'commander';
import { changeOrganisation } from '../modules/organisations/change-organisation.ts';
import { openInstallation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';

interface Options {
  organisation: string;
  plan: Plan;
  json?: true;
}

export function addPlanSet(admin: Command, context: OperatorContext): void {
  admin
    .command('plan')
    .description("organisations' plans")
    .command('set')
    .summary("change an organisation's plan")
    .description("Changes an organisation's plan at once. On the free plan its API keys stop working.")
    .requiredOption('--organisation <id>', 'which organisation')
    .addOption(new Option('--plan <plan>', 'the new plan').choices(plans).makeOptionMandatory())
    .option('--json', 'print one JSON document')
    .action((options: Options) => run(context, options));
}

async function run(context: OperatorContext, { organisation: id, plan, json }: Options): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const change = { organisationId: id, change: { plan }, caller: 'operator' } as const;
  const organisation = await changeOrganisation(installation.store.db, change);
  if (!organisation) {
    throw new OperatorError(
      `There is no organisation ${id}.`,
      'Give its id, not its name: "lilac admin session create" and "lilac whoami" show it.',
    );
  }
  const { apiKeys, maxInstances } = planLimits[plan];
  printResult(context, {
    isJson: json === true,
    document: { organisationId: organisation.id, name: organisation.name, plan: organisation.plan },
    lines: [
      `${organisation.name} (${organisation.id}) is now on the ${plan} plan: ` +
        `${apiKeys ? 'API keys work' : 'API keys do not work'}, at most ${maxInstances} instances.`,
    ],
  });
}
