import type { EndpointName } from '@lilac/contract/endpoints';
import { createDeployment, unique } from '../../../testing/factories.ts';
import type { ProjectWorld } from '../../applications/testing/project-world.ts';
import { SECRET, type Deed, type Deeds } from './deed.ts';
import type { Things } from './things.ts';

/** What people change about applications, their environments, domains and deployments. */
export function applicationDeeds(world: () => ProjectWorld, { call, newApplication, newFolder }: Things): Deeds {
  const ofEnvironment = (name: EndpointName, action: string, body: object = {}): Deed => ({
    prepare: newApplication,
    act: async ({ environmentId, subject }) => {
      await call(name, { environmentId, ...body });
      return { action, subject };
    },
  });

  /** An environment, that has a domain of its own or has none yet. */
  const ofDomain = (
    name: EndpointName,
    action: string,
    { has = true, field }: { has?: boolean; field?: string } = {},
  ): Deed => ({
    prepare: async () => {
      const application = await newApplication();
      const { environmentId } = application;
      const domain = `${unique('had')}.example.org`.toLowerCase();
      if (has) await call('applications.add-domain', { environmentId, domain });
      return { ...application, domain };
    },
    act: async ({ environmentId, subject, domain: had }) => {
      const domain = field ? `${unique('wanted')}.example.org`.toLowerCase() : had;
      await call(name, { environmentId, ...(field && { [field]: domain }) });
      return { action, subject: `${subject}: ${domain}` };
    },
  });

  return {
    'applications.create': {
      act: async () => ({ action: 'application_created', subject: (await newApplication()).name }),
    },
    'applications.create-from-upload': {
      prepare: () => world().readyUpload(),
      act: async ({ id }) => {
        const name = unique('Archive');
        await call('applications.create-from-upload', { name, uploadId: id, deploymentType: 'static' });
        return { action: 'application_created', subject: name };
      },
    },
    'applications.deploy': {
      prepare: newApplication,
      act: async ({ applicationId, environmentId, subject }) => {
        await call('applications.deploy', { applicationId, environmentId });
        return { action: 'deployment_started', subject };
      },
    },
    'applications.rename': {
      prepare: async () => {
        const application = await newApplication();
        const { applicationId } = application;
        await call('environments.create', { applicationId, name: 'preview', vcsBranch: 'next' });
        return application;
      },
      act: async ({ applicationId }) => {
        const name = unique('Renamed');
        await call('applications.rename', { applicationId, name });
        return { action: 'application_renamed', subject: name };
      },
    },
    'applications.update': {
      prepare: newApplication,
      act: async ({ applicationId, name }) => {
        await call('applications.update', { applicationId, autoDeployOnPush: true });
        return { action: 'application_updated', subject: name };
      },
    },
    'applications.move': {
      prepare: async () => ({ ...(await newFolder()), ...(await newApplication()) }),
      act: async ({ applicationId, projectId, name }) => {
        await call('applications.move', { applicationId, targetFolderId: projectId });
        return { action: 'application_moved', subject: name };
      },
    },
    'applications.delete': {
      prepare: newApplication,
      act: async ({ applicationId, name }) => {
        await call('applications.delete', { applicationId });
        return { action: 'application_deleted', subject: name };
      },
    },
    'applications.add-domain': ofDomain('applications.add-domain', 'custom_domain_updated', {
      has: false,
      field: 'domain',
    }),
    'applications.update-domain': ofDomain('applications.update-domain', 'custom_domain_updated', {
      field: 'newDomain',
    }),
    'applications.retry-domain': ofDomain('applications.retry-domain', 'custom_domain_retried'),
    'applications.remove-domain': ofDomain('applications.remove-domain', 'custom_domain_removed'),
    'environments.add-domain': ofDomain('environments.add-domain', 'custom_domain_updated', {
      has: false,
      field: 'domain',
    }),
    'environments.retry-domain': ofDomain('environments.retry-domain', 'custom_domain_retried'),
    'environments.create': {
      prepare: newApplication,
      act: async ({ applicationId, name }) => {
        await call('environments.create', { applicationId, name: 'preview', vcsBranch: 'next' });
        return { action: 'environment_created', subject: `${name} / preview` };
      },
    },
    'environments.update': ofEnvironment('environments.update', 'environment_vars_updated', {
      environmentVars: { TOKEN: SECRET },
    }),
    'environments.scale': ofEnvironment('environments.scale', 'scaling_updated', { maxInstances: 3 }),
    'environments.password': ofEnvironment('environments.password', 'password_set', {
      enabled: true,
      password: SECRET,
    }),
    'environments.access-log': ofEnvironment('environments.access-log', 'access_log_enabled', { enabled: true }),
    'environments.deploy': ofEnvironment('environments.deploy', 'deployment_started'),
    'environments.delete': {
      prepare: async () => {
        const { applicationId, name } = await newApplication();
        const { id } = await call('environments.create', { applicationId, name: 'old', vcsBranch: 'next' });
        return { environmentId: id, name };
      },
      act: async ({ environmentId, name }) => {
        await call('environments.delete', { environmentId });
        return { action: 'environment_deleted', subject: `${name} / old` };
      },
    },
    'deployments.cancel': {
      prepare: newApplication,
      act: async ({ environmentId, subject }) => {
        const [{ id }] = (await call('deployments.list', { environmentId })) as [{ id: string }];
        await call('deployments.cancel', { deploymentId: id });
        return { action: 'deployment_cancelled', subject };
      },
    },
    'deployments.rollback': {
      prepare: async () => {
        const application = await newApplication();
        const { id: artifactId } = await world()
          .api.store.db.insertInto('artifacts')
          .values({
            id: unique('art'),
            organisation_id: world().owner.organisationId,
            environment_id: application.environmentId,
            kind: 'static',
            state: 'whole',
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const environment = await world().productionOf({ id: application.applicationId });
        const { id } = await createDeployment(world().api, environment, { artifact_id: artifactId });
        return { ...application, deploymentId: id };
      },
      act: async ({ environmentId, deploymentId, subject }) => {
        await call('deployments.rollback', { environmentId, deploymentId });
        return { action: 'deployment_rolled_back', subject };
      },
    },
  };
}
