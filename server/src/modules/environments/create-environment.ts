import type { BodyOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { Plan } from '@lilac/contract/plans';
import type { ApplicationRow, EnvironmentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { conflict } from '../../lib/fault.ts';
import { newId } from '../../lib/ids.ts';
import { assertBranchExists, assertBranchName } from '../applications/assert-branch.ts';
import { holdApplication } from '../applications/hold-application.ts';
import { clearName } from '../domains/clear-name.ts';
import { readHostname } from '../domains/hostname.ts';
import { openRepositoryOf } from '../vcs/access/application-repository.ts';
import { addEnvironment } from './add-environment.ts';
import { assertContainerSize } from './container-size.ts';
import { readDirectory } from './directory.ts';
import type { EnvironmentsDeps } from './environments-deps.ts';
import { fitScaling } from './scaling.ts';
import { assertVariables, sealVariables } from './variables.ts';

type Body = BodyOf<Endpoints['environments.create']>;

export interface NewEnvironment {
  application: ApplicationRow;
  plan: Plan;
  caller: Caller;
  body: Body;
}

/** Nothing is built yet: its address answers that there is nothing to see so far. */
export async function createEnvironment(deps: EnvironmentsDeps, request: NewEnvironment): Promise<EnvironmentRow> {
  const columns = readColumns(deps, request);
  await assertBranchOf(deps, request);
  const domain = await readDomain(deps, request);
  return deps.store.db.transaction().execute(async (tx) => {
    const application = await holdApplication(tx, request.application.id);
    return addEnvironment(tx, deps.config, application, { columns, domain, caller: request.caller });
  });
}

async function readDomain(deps: EnvironmentsDeps, { application, body: { customDomain } }: NewEnvironment) {
  if (customDomain === undefined) return null;
  const hostname = readHostname(deps.config, 'customDomain', customDomain);
  return clearName(deps, { organisationId: application.organisation_id, hostname, subdomain: null });
}

/** Where the source is an upload the branch is a label, and nobody looks for it. */
async function assertBranchOf(deps: EnvironmentsDeps, { application, body }: NewEnvironment): Promise<void> {
  const repository = await openRepositoryOf(deps, application);
  if (repository) await assertBranchExists(deps.gitSources, repository, body.vcsBranch);
}

function readColumns({ keyring }: Pick<EnvironmentsDeps, 'keyring'>, { application, plan, body }: NewEnvironment) {
  if (body.isProduction) {
    throw conflict('An application has one production environment, made with it. Leave isProduction out.');
  }
  assertBranchName('vcsBranch', body.vcsBranch);
  assertContainerSize({ memory: body.memory ?? application.memory, cpu: body.cpu ?? application.cpu });
  const variables = body.environmentVars ?? {};
  assertVariables(variables);
  const id = newId('env');
  return {
    id,
    name: body.name.trim(),
    vcs_branch: body.vcsBranch,
    auto_deploy: body.autoDeploy ?? false,
    build_command: body.buildCommand ?? null,
    output_directory: body.outputDirectory ? readDirectory('outputDirectory', body.outputDirectory) : null,
    variables: sealVariables(keyring, id, variables),
    container_port: body.containerPort ?? null,
    memory: body.memory ?? null,
    cpu: body.cpu ?? null,
    ...fitScaling(plan, { min_instances: body.minInstances, max_instances: body.maxInstances }),
  };
}
