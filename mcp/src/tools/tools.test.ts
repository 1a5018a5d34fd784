import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { annotationsOf } from '../register-tool.ts';
import { tools } from './tools.ts';

const withoutOrganisation = ['list_organisations', 'search_docs', 'get_catalogue'];

/** What those do to the world whose names are such. */
function accessesOf(isSuch: (name: string) => boolean): Set<string> {
  return new Set(tools.filter(({ name }) => isSuch(name)).map(({ access }) => access));
}

describe('the tools', () => {
  it('are as many as an assistant can choose from, no two alike', () => {
    expect(tools.length).toBeGreaterThanOrEqual(25);
    expect(tools.length).toBeLessThanOrEqual(40);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  it('cost an assistant less than 10,000 tokens to know', () => {
    const told = tools.map(({ name, description, input }) => ({ name, description, schema: z.toJSONSchema(input) }));
    // Four characters are about one token.
    expect(JSON.stringify(told).length).toBeLessThan(40_000);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('%s says all that a client wants to know', (_, tool) => {
    expect(tool.name).toMatch(/^[a-z]+(?:_[a-z]+)+$/);
    expect(tool.title.length).toBeGreaterThan(3);
    expect(tool.description).toMatch(/^[A-Z].{30,}\.$/s);
    expect(tool.description.length).toBeLessThan(500);
    expect(z.toJSONSchema(tool.input, { io: 'input' })).toMatchObject({ type: 'object' });
    expect(z.toJSONSchema(tool.output)).toMatchObject({ type: 'object', properties: expect.anything() as object });
  });

  it.each(tools.filter(({ name }) => !withoutOrganisation.includes(name)).map((tool) => [tool.name, tool] as const))(
    '%s takes the organisation in the call itself',
    (_, tool) => expect(tool.input.shape).toHaveProperty('organisationId'),
  );

  it('that destroy can be confirmed, and those that take what is known nowhere else', () => {
    const destroying = tools.filter(({ access }) => access === 'destroy').map(({ name }) => name);
    expect(destroying).toEqual(['delete_application', 'delete_environment', 'delete_database', 'remove_domain']);
    const confirmed = tools.filter(({ input }) => 'confirm' in input.shape);
    expect(confirmed.map(({ name }) => name).toSorted()).toEqual(
      [...destroying, 'disconnect_database', 'set_environment_variables'].toSorted(),
    );
    for (const tool of confirmed) expect(annotationsOf(tool)).toMatchObject({ destructiveHint: true });
  });

  it('that show secrets are two, and no client takes them for harmless', () => {
    const secret = tools.filter(({ access }) => access === 'secret');
    expect(secret.map(({ name }) => name)).toEqual(['reveal_environment_variable', 'get_database_connection_string']);
    for (const tool of secret) expect(annotationsOf(tool)).toMatchObject({ readOnlyHint: false });
  });

  it('say that they may take the place of something, unless they only add', () => {
    const writing = tools.filter(({ access }) => access === 'write');
    const adding = writing.filter((tool) => annotationsOf(tool).destructiveHint === false).map(({ name }) => name);
    expect(adding.toSorted()).toEqual([
      'add_domain',
      'connect_database',
      'create_application',
      'create_database',
      'create_environment',
    ]);
  });

  it('say which of them look outside the platform', () => {
    const open = tools.filter((tool) => annotationsOf(tool).openWorldHint).map(({ name }) => name);
    expect(open).toEqual(['detect_framework', 'create_application', 'deploy_environment', 'check_domain']);
  });

  it('refuse an argument that they do not have', () => {
    for (const { name, input } of tools) {
      const unknown = input.safeParse({ organizationId: 'org_1' }).error?.issues ?? [];
      expect({ name, codes: unknown.map(({ code }) => code) }).toMatchObject({
        codes: expect.arrayContaining(['unrecognized_keys']) as string[],
      });
    }
  });

  it('tell by their names what they do to the world', () => {
    const reading = /^(?:list|get|check|describe|query|search|detect)_/;
    const destroying = /^(?:delete|remove)_/;
    expect(accessesOf((name) => destroying.test(name))).toEqual(new Set(['destroy']));
    expect(accessesOf((name) => reading.test(name))).toEqual(new Set(['read', 'secret']));
    expect(accessesOf((name) => !reading.test(name) && !destroying.test(name))).toEqual(new Set(['write', 'secret']));
  });
});
