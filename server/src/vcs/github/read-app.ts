import { z } from 'zod';
import { systemClock } from '../../lib/clock.ts';
import { tellRefusal } from '../connection/tell-refusals.ts';
import { createGithubAccess } from './github-access.ts';
import { HOST_NAME } from './github-api.ts';
import type { GithubOptions } from './create-github.ts';

export interface GithubApp {
  name: string;
  slug: string;
}

const app = z.object({ name: z.string(), slug: z.string() });

/** What the host says of the app whose key signs. A `Fault` CF001 when it does not know it. */
export async function readApp({ config, fetch, settings, clock = systemClock }: GithubOptions): Promise<GithubApp> {
  const { asApp } = createGithubAccess({ apiUrl: config.vcsApiUrls.provider1, fetch, settings, clock });
  const { data } = await tellRefusal(HOST_NAME, asApp({ route: 'GET /app', shape: app }));
  return data;
}
