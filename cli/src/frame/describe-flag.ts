import type { Command } from './command.ts';
import { hasSeveral, switchForms, type Flag } from './flag.ts';
import { inOwnWords } from './own-words.ts';
import { isTarget } from '../link/left-to-link.ts';

/** `-n, --lines N`, `--yes`, `--no-wait`, `--[no-]auto-deploy` */
export function optionOf(flag: Flag): string {
  const short = flag.short ? `-${flag.short}, ` : '';
  if (flag.kind !== 'switch') return `${short}--${flag.name} ${placeholders[flag.kind]}`;
  const forms = switchForms(flag);
  return short + (forms.length > 1 ? `--[no-]${flag.name}` : forms[0]!);
}

const placeholders: Record<Exclude<Flag['kind'], 'switch'>, string> = {
  text: 'VALUE',
  number: 'N',
  list: 'VALUE',
  pairs: 'NAME=VALUE',
  objects: 'JSON',
};

export function describeFlag(flag: Flag, command: Command): string {
  const nullable = flag.isNullable && !flag.description.includes('null') ? 'may be null' : '';
  const isList = flag.kind === 'list' && flag.choices.length > 0;
  const repeated = isList ? 'several with commas' : hasSeveral(flag) ? 'may be repeated' : '';
  const said = flag.description || ofIds(flag, command);
  // What is only ever given as --no-… need not say so.
  const description = flag.default === true ? said.replace(/^false: /, '') : said;
  return [inOwnWords(description, command), repeated, nullable].filter(Boolean).join('; ');
}

/** The contract takes ids; people may give names for some, and find others in a list. */
function ofIds(flag: Flag, { words }: Command): string {
  const named = flag.isRequired && flag.kind === 'text' ? namedTargets[flag.key] : undefined;
  const isLinked = isTarget(flag) && words.at(-1) !== 'delete';
  if (named) return isLinked ? `${named}; left out: the linked one` : named;
  const list = lists[flag.key];
  return list ? `"lilac ${list}" lists them` : '';
}

/** As `nameTargets` understands them. */
const namedTargets: Readonly<Record<string, string>> = {
  applicationId: 'its id, name or subdomain',
  environmentId: "its id or subdomain, or an application's id or name: its production is meant",
  databaseId: 'its id or name',
};

const lists: Readonly<Record<string, string>> = {
  backupId: 'db backups',
  deploymentId: 'deployments list',
  environmentIds: 'envs list',
  keyId: 'keys list',
  projectId: 'folders list',
  userId: 'orgs members',
};
