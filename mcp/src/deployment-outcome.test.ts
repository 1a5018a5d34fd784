import { expect, it } from 'vitest';
import type { ToolCall } from './define-tool.ts';
import { deploymentTools } from './tools/deployments.ts';

it('never says of a rollback that was cancelled or overtaken that its deployment was released', async () => {
  const found = {
    id: 'dep_1',
    environment_id: 'env_1',
    status: 'healthy',
    is_live: false,
    stages: [{ stage: 'routing' }],
    deployment_logs: ['==> Live at http://shop.example.org', '==> Stopped: Cancelled by Ada.'],
  };
  const answers: Record<string, object> = {
    'deployments.rollback': {},
    'deployments.get': found,
    'environments.get': { url: 'http://shop.example.org', live_deployment_id: 'dep_2' },
  };
  const call = {
    input: { environmentId: 'env_1', deploymentId: 'dep_1', waitSeconds: 0 },
    lilac: { call: async (name: string) => answers[name] },
    targetOrganisationId: 'org_1',
    signal: new AbortController().signal,
  } as unknown as ToolCall;
  const tool = deploymentTools.find(({ name }) => name === 'rollback_deployment')!;
  expect(await (tool.run as (call: ToolCall) => Promise<object>)(call)).toMatchObject({
    is_live: false,
    error: 'The rollback came to nothing. Stopped: Cancelled by Ada.',
    next_step: expect.stringContaining('dep_2 is served.') as string,
  });
});
