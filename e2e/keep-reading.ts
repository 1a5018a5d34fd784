import type { Client } from '../contract/src/client.ts';
import type { Application, Deployer } from './deploying.ts';

/** Asks for the same again and again, so that whatever answers has each of its statements prepared. */
export interface Reader {
  /** How often everything was asked for. */
  rounds(): number;
  /** What was not answered. */
  failures: readonly string[];
  stop(): Promise<void>;
}

/** At a time, so that several connections of the api to its store are in use. */
const AT_ONCE = 4;

export function keepReading({ client, targetOrganisationId }: Deployer, application: Application): Reader {
  const failures: string[] = [];
  const stopping = new AbortController();
  let rounds = 0;
  const questions = questionsOf(client, targetOrganisationId, application);
  const reading = (async () => {
    while (!stopping.signal.aborted) {
      for (const [name, ask] of Object.entries(questions)) {
        const answers = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => ask()));
        const refused = answers.filter((answer) => answer.status === 'rejected');
        for (const { reason } of refused) failures.push(`${name}: ${String(reason)}`);
      }
      rounds++;
    }
  })();
  return {
    rounds: () => rounds,
    failures,
    async stop() {
      stopping.abort();
      await reading;
    },
  };
}

function questionsOf(
  client: Client,
  targetOrganisationId: string,
  { id, environmentId }: Application,
): Record<string, () => Promise<unknown>> {
  const [ours, application] = [{ targetOrganisationId }, { targetOrganisationId, applicationId: id }];
  const environment = { targetOrganisationId, environmentId };
  return {
    'applications.list': () => client.call('applications.list', { body: ours }),
    'applications.get': () => client.call('applications.get', { body: application }),
    'environments.get': () => client.call('environments.get', { body: environment }),
    'environments.activity': () => client.call('environments.activity', { body: environment }),
    'deployments.list': () => client.call('deployments.list', { body: environment }),
    'databases.list': () => client.call('databases.list', { body: ours }),
    'projects.list': () => client.call('projects.list', { body: ours }),
    'api-keys.list': () => client.call('api-keys.list', { body: ours }),
    'organisations.activity': () => client.call('organisations.activity', { body: ours }),
  };
}
