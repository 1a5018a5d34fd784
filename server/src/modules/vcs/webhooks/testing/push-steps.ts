import type { PushWorld } from './push-world.ts';

/** What is done and looked at again and again. The world need not be there before one of them is called. */
export function pushSteps(given: () => PushWorld) {
  let count = 0;

  /** A repository and an application of it that nobody else uses, its first deployment over. */
  const settle = async (settings: object = {}) => {
    const world = given();
    const fullName = `acme/Repo-${++count}`;
    await world.addRepository(fullName);
    const application = await world.create(`App ${count}`, fullName, settings);
    await world.finish('healthy');
    const [production] = await world.environmentsOf(application);
    return { fullName, application, production: production! };
  };

  const shas = async (environment: { id: string }) =>
    (await given().deploymentsOf(environment)).map(({ commit_sha, status }) => [commit_sha, status]);

  const namesOf = async (application: { id: string }) =>
    (await given().environmentsOf(application)).map(({ name, vcs_branch }) => [name, vcs_branch]);

  const applicationNow = async ({ id: applicationId }: { id: string }) =>
    (await given().call('/api/applications/get', { applicationId })).body;

  /** By a person, to what counts as having been live. */
  const rollBackTo = async (environment: { id: string }, sha: string): Promise<void> => {
    const world = given();
    const { id: deploymentId } = (await world.deploymentsOf(environment)).find((each) => each.commit_sha === sha)!;
    await world.api.store.pool.query(
      `update deployments set artifact_id = 'art_of_a_test', released_at = now() where id = $1`,
      [deploymentId],
    );
    const { status } = await world.call('/api/deployments/rollback', { environmentId: environment.id, deploymentId });
    if (status !== 200) throw new Error(`The rollback was answered with ${status}.`);
  };

  return { settle, shas, namesOf, applicationNow, rollBackTo };
}
