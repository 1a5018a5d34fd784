import { randomUUID } from 'node:crypto';
import document from '../bitbucket/testing/openapi.json' with { type: 'json' };
import { bitbucketPushHooks } from '../bitbucket/testing/bitbucket-push-hook.ts';
import { answerAsBitbucket } from '../bitbucket/testing/bitbucket-rest.ts';
import { startConnectionRig, type ConnectionRig, type ConnectionRigOptions } from './connection-rig.ts';

/** Bitbucket on loopback. */
export function startBitbucketRig(options?: ConnectionRigOptions): Promise<ConnectionRig> {
  return startConnectionRig(
    {
      provider: 'provider3',
      apiPath: '/2.0',
      oauth: {
        authorizePath: '/site/oauth2/authorize',
        tokenPath: '/site/oauth2/access_token',
        clientBy: 'client_secret_basic',
        scopes: ['account', 'repository', 'webhook'],
      },
      cloneUser: 'x-token-auth',
      document,
      paging: ['page', 'pagelen'],
      newRepositoryId: () => `{${randomUUID()}}`,
      answer: answerAsBitbucket,
      badToken: { status: 401, body: { type: 'error', error: { message: 'Token is invalid or not supported.' } } },
      deliveriesOf: bitbucketPushHooks,
      refuseByRate(response, seconds) {
        response
          .writeHead(429, { 'content-type': 'application/json', 'retry-after': String(seconds) })
          .end(JSON.stringify({ type: 'error', error: { message: 'Rate limit for this resource has been exceeded' } }));
      },
    },
    options,
  );
}
