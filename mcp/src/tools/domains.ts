import { domainState } from '@lilac/contract/domains';
import { z } from 'zod';
import { Refused } from '../confirm.ts';
import { defineTool } from '../define-tool.ts';
import { confirmField, environmentId, organisationField } from '../fields.ts';
import { inOwnWords } from '../in-own-words.ts';

export const domainTools = [
  defineTool({
    name: 'add_domain',
    title: 'Add a domain',
    description:
      'Give an environment a domain of its own. Answers the DNS records that the person has to create; the certificate follows by itself. Ask check_domain how far it is.',
    access: 'write',
    isIdempotent: true,
    input: z.object({
      ...organisationField,
      environmentId,
      domain: z.string().min(1).max(253).describe('As www.example.org, or *.example.org for all names below one.'),
    }),
    output: domainState,
    async run({ input: { environmentId, domain }, lilac, targetOrganisationId, signal }) {
      const body = { targetOrganisationId, environmentId, domain };
      return await lilac.call('environments.add-domain', { body, signal }).catch(inOwnWords(ADDING));
    },
  }),
  defineTool({
    name: 'check_domain',
    title: 'Check a domain',
    description:
      'Look up the DNS records and the certificate of the domain of an environment: what is there, what is missing, and what to do.',
    access: 'read',
    looksOutside: true,
    input: z.object({ ...organisationField, environmentId }),
    output: domainState,
    async run({ input: { environmentId }, lilac, targetOrganisationId, signal }) {
      return await lilac.call('environments.check-domain', { body: { targetOrganisationId, environmentId }, signal });
    },
  }),
  defineTool({
    name: 'remove_domain',
    title: 'Remove a domain',
    description: 'Take the domain away from an environment; it stops at once. The person is asked first.',
    access: 'destroy',
    isIdempotent: true,
    input: z.object({ ...organisationField, environmentId, ...confirmField }),
    output: domainState,
    async run({ input: { environmentId }, lilac, targetOrganisationId, signal, confirm }) {
      const body = { targetOrganisationId, environmentId };
      const { custom_domain: name } = await lilac.call('environments.get', { body, signal });
      if (name === null) throw new Refused('This environment has no domain of its own.');
      await confirm({
        name,
        consequence: `This takes ${name} away from the environment: it stops at once.`,
        by: 'applications.remove-domain',
      });
      return await lilac.call('applications.remove-domain', { body, signal });
    },
  }),
];

const ADDING = [
  [/Replace it by update-domain\./, 'Take that one away by remove_domain first, which asks the person.'],
] as const;
