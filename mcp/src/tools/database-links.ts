import { z } from 'zod';
import { databaseLink } from '@lilac/contract/database-shapes';
import { Refused } from '../confirm.ts';
import { defineTool, type ToolCall } from '../define-tool.ts';
import { confirmField, databaseId, environmentId, organisationField } from '../fields.ts';
import { inOwnWords } from '../in-own-words.ts';
import { enumerate } from '../shorten.ts';

type Link = Pick<z.output<typeof databaseLink>, 'environment_id' | 'variable'>;

const variable = z.string().min(1).max(100).default('DATABASE_URL');

export const databaseLinkTools = [
  defineTool({
    name: 'connect_database',
    title: 'Connect a database to an environment',
    description:
      'Give an environment the address of a database in a variable, from its next deployment on. The password never has to be shown for that, and a new one reaches the variable by itself.',
    access: 'write',
    isIdempotent: true,
    input: z.object({ ...organisationField, databaseId, environmentId, variable }),
    output: databaseLink,
    async run({ input: link, lilac, targetOrganisationId, signal }) {
      return await lilac
        .call('databases.connect', { body: { targetOrganisationId, ...link }, signal })
        .catch(inOwnWords(CONNECTING));
    },
  }),
  defineTool({
    name: 'disconnect_database',
    title: 'Disconnect a database from an environment',
    description:
      'Take the address of a database away from an environment, from its next deployment on; the database stays. The person is asked first.',
    access: 'write',
    overwrites: true,
    isIdempotent: true,
    input: z.object({ ...organisationField, databaseId, environmentId, variable, ...confirmField }),
    output: z.object({ ...databaseLink.omit({ created_at: true }).shape, next_step: z.string() }),
    async run(call) {
      const { lilac, targetOrganisationId, signal, confirm } = call;
      const { databaseId, environmentId, variable } = call.input;
      const input = { body: { targetOrganisationId, databaseId }, signal };
      const [{ name }, links] = await Promise.all([
        lilac.call('databases.get', input),
        lilac.call('databases.links', input),
      ]);
      const link = links.find((each) => each.environment_id === environmentId && each.variable === variable);
      if (!link) {
        throw new Refused(
          `The database "${name}" is not connected to this environment as ${variable}. get_database says to which it is, and as what.`,
        );
      }
      const place = await describeLinks(call, [link]);
      await confirm({
        name,
        consequence: `This takes the database "${name}" away from ${place}, with its next deployment.`,
        by: 'databases.disconnect',
      });
      const body = { targetOrganisationId, databaseId, environmentId, variable };
      await lilac.call('databases.disconnect', { body, signal });
      return { ...link, next_step: 'What runs keeps the address until the next deployment: call deploy_environment.' };
    },
  }),
];

const CONNECTING = [
  [
    /Disconnect that first\./,
    'Disconnect that one first by disconnect_database (get_database says what is connected), or choose another variable.',
  ],
  [
    /Remove it first, or choose another name\./,
    'Remove it first by set_environment_variables, or choose another variable.',
  ],
] as const;

const MOST_NAMED = 5;
/** As long as the names of one environment may be. */
const MAX_NAMES = 500;

/** As a person knows them: `"production" (https://shop.example.org) as DATABASE_URL, READER_URL; and 3 more`. */
export async function describeLinks(
  { lilac, targetOrganisationId, signal }: ToolCall,
  links: readonly Link[],
): Promise<string> {
  const byEnvironment = Map.groupBy(links, ({ environment_id: environmentId }) => environmentId);
  const named = await Promise.all(
    [...byEnvironment].slice(0, MOST_NAMED).map(async ([environmentId, ofIt]) => {
      const { name, url } = await lilac.call('environments.get', {
        body: { targetOrganisationId, environmentId },
        signal,
      });
      const variables = ofIt.map(({ variable }) => variable);
      return `"${name}" (${url}) as ${enumerate(variables, MAX_NAMES)}`;
    }),
  );
  const others = byEnvironment.size - named.length;
  return [...named, ...(others > 0 ? [`and ${others} more`] : [])].join('; ');
}
