import { declarationOf, endpointNames } from '@lilac/contract/endpoints';
import { describe, expect, it } from 'vitest';
import { tools } from './tools.ts';

describe('the tools', () => {
  it('are exactly the endpoints that the contract offers to assistants', () => {
    const offered = endpointNames.filter((name) => declarationOf(name).mcp !== null);
    expect(offered.length).toBeGreaterThan(5);
    expect(tools.map((tool) => tool.endpoint)).toEqual(offered);
  });

  it('have names every client accepts, no two alike', () => {
    for (const { name } of tools) expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length);
  });

  it('never take a secret of a person: keys, sign-in and profile are left out', () => {
    expect(tools.filter(({ endpoint }) => /^(api-keys|profile)\.|^auth\.(?!profile$)/.test(endpoint))).toEqual([]);
  });

  it('say what a field is, which are required, and what an endpoint does to the world', () => {
    const status = tools.find((tool) => tool.name === 'applications_status');
    expect(status).toMatchObject({
      description: "Show an application's status; cheap enough to poll",
      inputSchema: {
        type: 'object',
        properties: { applicationId: { type: 'string' }, targetOrganisationId: { type: 'string' } },
        required: ['applicationId'],
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    });
    expect(tools.find((tool) => tool.name === 'projects_delete')?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    });
  });

  it('take the fields of an address beside those of a body', () => {
    const cpu = tools.find((tool) => tool.endpoint === 'config.containerplatform.compatible');
    expect(cpu?.inputSchema).toMatchObject({ properties: { memory: { type: 'string' } }, required: ['memory'] });
  });
});
