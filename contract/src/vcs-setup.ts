import { z } from 'zod';
import { message } from './common-shapes.ts';
import { endpoint } from './endpoint.ts';
import { forAnybody } from './scopes.ts';
import { gitProviders } from './states.ts';

const setupToken = z.string().min(1).max(200);
const hostSetup = z.object({
  configured: z.boolean(),
  /** False: its feature flag is off. */
  enabled: z.boolean(),
  /** Where the settings come from: the store, or the operator's file. */
  source: z.enum(['store', 'file']).nullable(),
  trouble: z
    .string()
    .nullable()
    .meta({ description: 'why the settings there are cannot be used, or what the host said against them just now' }),
  clientId: z.string().nullable().meta({ description: 'as which client it is known there' }),
  hostUrl: z.string(),
  callbackUrl: z.string(),
  webhookUrl: z.string(),
});

/** For the operator, who holds the link that `lilac admin vcs setup` prints. */
export const vcsSetup = {
  'vcs-setup.show': endpoint({
    ...forAnybody,
    path: '/api/vcs-setup/show',
    summary: 'Show how the repository hosts are set up (operators, by the link of `lilac admin vcs setup`)',
    body: z.object({ setupToken }),
    output: z.object({
      provider1: hostSetup.extend({
        slug: z.string().nullable(),
        manifest: z.string().meta({ description: 'JSON: what the host makes an app of' }),
        manifestUrl: z.string().meta({ description: 'where a form with the manifest is posted to' }),
      }),
      provider2: hostSetup,
      provider3: hostSetup,
    }),
    errors: ['CA002'],
  }),
  'vcs-setup.begin': endpoint({
    ...forAnybody,
    path: '/api/vcs-setup/begin',
    summary: 'Begin the way of a browser to the first host, which makes the app, and back',
    description:
      'The browser keeps the set-up token for 15 minutes at most, in a cookie that no script can read. The state goes ' +
      'to the host with the manifest, and comes back with the code.',
    body: z.object({ setupToken }),
    output: z.object({ state: z.string() }),
    errors: ['CA002'],
  }),
  'vcs-setup.resume': endpoint({
    ...forAnybody,
    path: '/api/vcs-setup/resume',
    summary: 'Get the set-up token again in the browser that the first host has sent back',
    description: 'By the cookie of `vcs-setup.begin`, which is cleared. CA002 in any browser that did not begin this.',
    body: z.object({ state: z.string().min(1).max(200) }),
    output: z.object({ setupToken: z.string() }),
    errors: ['CA002'],
  }),
  'vcs-setup.convert': endpoint({
    ...forAnybody,
    path: '/api/vcs-setup/convert',
    summary: 'Take over the app that the first host has made of the manifest',
    body: z.object({ setupToken, code: z.string().min(1).max(200) }),
    output: message,
    errors: ['CA002', 'CF001', 'SV002'],
  }),
  'vcs-setup.save': endpoint({
    ...forAnybody,
    path: '/api/vcs-setup/save',
    summary: 'Save how the platform is known to a repository host',
    description:
      'provider1 needs all fields but those with a default; the other two clientId and clientSecret only. What is ' +
      'saved is then shown to the host, as `lilac admin vcs check` does.',
    body: z.object({
      setupToken,
      provider: z.enum(gitProviders),
      clientId: z.string().min(1).max(200),
      clientSecret: z.string().min(1).max(500),
      appId: z.int().min(1).optional(),
      slug: z.string().min(1).max(100).optional(),
      privateKey: z.string().min(1).max(20_000).optional(),
      webhookSecret: z.string().min(1).max(500).optional(),
    }),
    output: message.extend({
      known: z.boolean().meta({ description: 'false: saved, but the host does not take it, or did not answer' }),
      found: z.string().meta({ description: 'what the host said, for people' }),
    }),
    errors: ['CA002', 'CF001'],
  }),
};
