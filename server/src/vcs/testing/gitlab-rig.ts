import { gitlabDocument } from '../gitlab/testing/api-document.ts';
import { gitlabPushHooks } from '../gitlab/testing/gitlab-push-hook.ts';
import { answerAsGitlab } from '../gitlab/testing/gitlab-rest.ts';
import { startConnectionRig, type ConnectionRig, type ConnectionRigOptions } from './connection-rig.ts';

/** GitLab on loopback. Groups may stand in groups: `acme/inner/site`. */
export function startGitlabRig(options?: ConnectionRigOptions): Promise<ConnectionRig> {
  let lastProjectId = 1000;
  return startConnectionRig(
    {
      provider: 'provider2',
      apiPath: '/api/v4',
      oauth: {
        authorizePath: '/oauth/authorize',
        tokenPath: '/oauth/token',
        clientBy: 'client_secret_post',
        scopes: ['api'],
      },
      cloneUser: 'oauth2',
      document: gitlabDocument,
      paging: ['page', 'per_page', 'pagination', 'cursor'],
      newRepositoryId() {
        lastProjectId += 1;
        return String(lastProjectId);
      },
      answer: answerAsGitlab,
      badToken: { status: 401, body: { error: 'invalid_token', error_description: 'Token was revoked.' } },
      deliveriesOf: gitlabPushHooks,
      refuseByRate(response, seconds) {
        const reset = Math.ceil(Date.now() / 1000) + seconds;
        response
          .writeHead(429, {
            'content-type': 'text/plain',
            'retry-after': String(seconds),
            'ratelimit-limit': '600',
            'ratelimit-remaining': '0',
            'ratelimit-reset': String(reset),
          })
          .end('Retry later\n');
      },
    },
    options,
  );
}
