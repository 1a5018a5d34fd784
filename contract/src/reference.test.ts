import { describe, expect, it } from 'vitest';
import type { EndpointName } from './endpoints.ts';
import { exampleSettings, referenceSections } from './reference.ts';

const references = referenceSections().flatMap(({ endpoints }) => endpoints);
const referenceOf = (name: EndpointName) => references.find((reference) => reference.name === name)!;

describe('the reference', () => {
  it('says how to set every variable that its examples take from the shell', () => {
    const used = references.flatMap(({ example }) =>
      [...example.matchAll(/\$(\w+)/g)].map(([, variable]) => variable!),
    );
    const explained = [...exampleSettings.matchAll(/^export (\w+)=/gm)].map(([, variable]) => variable!);
    expect([...new Set(used)].toSorted()).toEqual(explained.toSorted());
  });

  it('names an organisation only where a person must: a key is refused with any but its own', () => {
    expect(referenceOf('environments.scale').example).not.toContain('targetOrganisationId');
    expect(referenceOf('api-keys.create').example).toContain('"targetOrganisationId":"org_');
    expect(exampleSettings).toMatch(/session token.*targetOrganisationId/);
  });

  it('shows no placeholder in a path', () => {
    expect(references.filter(({ example }) => /\/:\w/.test(example)).map(({ name }) => name)).toEqual([]);
  });

  it('shows how a program refreshes: the token in the body, and the header that brings the next one', () => {
    const { example, headers } = referenceOf('auth.refresh');
    expect(example).toContain('{"refreshToken":');
    expect(example).toContain("-H 'X-Client-Type: cli'");
    expect(headers.map(({ name }) => name)).toEqual(['X-Client-Type', 'Idempotency-Key']);
  });

  it('shows no password in clear where only the console can sign in', () => {
    expect(referenceOf('auth.login').example).toMatch(/"password":"eyJ[\w-]+\.\.\w+\.\w+\.\w+"/);
  });

  it('shows the alternatives of an answer apart, each with what it is sure to hold', () => {
    const required = referenceOf('auth.login').answers.map(({ fields }) =>
      fields.filter(({ isRequired }) => isRequired).map(({ path }) => path),
    );
    expect(required).toEqual([['token'], ['mfaRequired', 'pendingToken']]);
  });
});
