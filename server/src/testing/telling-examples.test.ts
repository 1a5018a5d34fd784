import { declarationOf, endpointNames } from '@lilac/contract/endpoints';
import { toInputSchema } from '@lilac/contract/json-schema';
import { expect, it } from 'vitest';
import { compileValidator } from '../http/validate.ts';
import { TELLING } from './fuzz-values.ts';
import { tellingExamples } from './telling-examples.ts';

const ownOf = (name: string) => (name === 'targetOrganisationId' ? 'org_1' : undefined);
interface Made {
  name?: string;
  email?: string;
  environmentVars?: Record<string, string>;
  filters?: { textSearch?: string; severity?: string[] };
}
const bodiesFor = (name: (typeof endpointNames)[number]) =>
  tellingExamples(toInputSchema(declarationOf(name).body!), ownOf) as Made[];

it('has every telling text in a field of its own, of a list, of an object and of a record', () => {
  const searches = bodiesFor('logs.search').map(({ filters }) => filters);
  expect(new Set(searches.map((filters) => filters?.textSearch))).toEqual(new Set([undefined, ...TELLING]));
  expect(searches.map((filters) => filters?.severity)).toContainEqual(['(']);
  const updates = bodiesFor('environments.update');
  expect(updates.map(({ environmentVars }) => environmentVars?.['NAME'])).toContain('100%');
  expect(updates.flatMap(({ environmentVars }) => Object.keys(environmentVars ?? {}))).toContain('constructor');
  expect(new Set(updates.map(({ name }) => name))).toContain('%zz');
});

it('puts those that would not be taken by themselves next to what is', () => {
  const emails = bodiesFor('auth.login').map(({ email }) => email);
  expect(emails).toContain('ada@example.org%');
});

/** Most of them: what no text of this form can hold is sent too, and refused. */
it('makes bodies that the contract takes', () => {
  const taken = endpointNames
    .filter((name) => declarationOf(name).body)
    .flatMap((name) => {
      const validate = compileValidator(toInputSchema(declarationOf(name).body!), 'body');
      return bodiesFor(name).map((body) => validate(body) === null);
    });
  expect(taken.filter(Boolean).length / taken.length).toBeGreaterThan(0.8);
});
