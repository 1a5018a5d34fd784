import { browserSession } from '../session/browser-session.ts';

interface NewApplication {
  targetOrganisationId: string;
  applicationId: string;
}

/** Where to look on while a new application is built; the application's own page where its build is not found. */
export async function firstDeploymentPath({ targetOrganisationId, applicationId }: NewApplication): Promise<string> {
  try {
    const { environments } = await browserSession.call('applications.get', {
      body: { targetOrganisationId, applicationId },
    });
    const environmentId = environments.find(({ is_production }) => is_production)!.id;
    const body = { targetOrganisationId, environmentId, limit: 1 };
    const [deployment] = await browserSession.call('deployments.list', { body });
    return deployment ? `/deployments/${deployment.id}` : `/apps/${applicationId}`;
  } catch {
    // It was created, and that must not look like a failure: whoever tries again would have two.
    return `/apps/${applicationId}`;
  }
}
