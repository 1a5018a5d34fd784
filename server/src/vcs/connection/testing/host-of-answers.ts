import type { HostFetch } from '../../host-fetch.ts';
import { webhookKey, type ConnectionSubject } from './connection-suite.ts';

export interface Asked {
  url: string;
  method: string;
  authorization: string | null;
}

/** A host of which a test says what it answers, for what no rig would do. */
export function hostOfAnswers(
  createHost: ConnectionSubject['createHost'],
  answer: (asked: Asked, index: number) => Response,
) {
  const asked: Asked[] = [];
  const fetch: HostFetch = async (input, init) => {
    const request = new Request(input, init);
    const each = { url: request.url, method: request.method, authorization: request.headers.get('authorization') };
    asked.push(each);
    return answer(each, asked.length - 1);
  };
  const url = new URL('https://host.example');
  const api = new URL('https://api.host.example/v');
  const config = {
    vcsUrls: { provider1: url, provider2: url, provider3: url },
    vcsApiUrls: { provider1: api, provider2: api, provider3: api },
  };
  return { asked, host: createHost({ config, fetch, settings: null, webhookKey }) };
}

export const someone = { kind: 'person', accessToken: 'a-token' } as const;
