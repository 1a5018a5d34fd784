import { leavesNoOrphan } from './orphans.ts';
import { ApiError } from '../../contract/src/client.ts';
import type { Invariant } from './problem.ts';

const NAME = 'what is deleted leaves nothing';

/** Deletes everything; what is left then is an orphan, or was not deleted. */
export const leavesNothing: Invariant = async (check) => {
  const { deployer } = check.scene;
  const { client, targetOrganisationId } = deployer;
  const body = { targetOrganisationId, limit: 100 };
  const applications = (await client.call('applications.list', { body })).items;
  const databases = (await client.call('databases.list', { body })).items;
  for (const { id: applicationId } of applications) {
    await client.call('applications.delete', { body: { targetOrganisationId, applicationId } }).catch(allowAgain);
  }
  for (const { id: databaseId } of databases) {
    await client
      .call('databases.delete', { body: { targetOrganisationId, databaseId, force: true } })
      .catch(allowAgain);
  }
  const there = [...applications, ...databases].map(({ id, name }) => ({
    invariant: NAME,
    about: name,
    what: `${id} is still there`,
  }));
  return [...there, ...(await leavesNoOrphan(check)).map((problem) => ({ ...problem, invariant: NAME }))];
};

/** It is being deleted already. */
function allowAgain(error: unknown): void {
  if (!(error instanceof ApiError) || ![404, 409].includes(error.status)) throw error;
}
