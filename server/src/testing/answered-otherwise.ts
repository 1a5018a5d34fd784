/** Why nothing is given away there, or the test that tries it as far as the look-up. */
type Reason = string | { file: string; words: string };

const DEPLOYED = {
  file: 'modules/applications/deploy-application.test.ts',
  words: "404 for another organisation's archive, at the application and at the environment",
};

/** Where it is not 404 that an id of nobody is answered with in the matrix, by the call's path and the field's name. */
export const ANSWERED_OTHERWISE: Readonly<Record<string, Reason>> = {
  '/api/organisations/members/remove userId': 'everybody may leave; that only an owner removes others is asked first',
  '/api/environments/metrics/sparkline environmentIds': 'those that are not there are left out of the answer',
  '/api/upload/cleanup uploadId': 'how many were removed is answered: none',
  '/api/applications/create projectId': {
    file: 'modules/applications/create-application.test.ts',
    words: '404 for a folder of another organisation',
  },
  '/api/applications/create-from-upload projectId': {
    file: 'modules/applications/create-from-upload.test.ts',
    words: '404 for an upload or a folder of another organisation',
  },
  '/api/applications/deploy uploadId': DEPLOYED,
  '/api/environments/deploy uploadId': DEPLOYED,
  '/api/databases/import uploadId': {
    file: 'modules/databases/transfer/transfer.test.ts',
    words: "404 for another organisation's upload",
  },
  '/api/vcs-app/organisation/:orgId/link-installation installationId': {
    file: 'modules/vcs/installations/handlers.test.ts',
    words: 'is not open to who knows the person',
  },
  '/api/vcs-app/organisation/:orgId/installations/:installId/uninstall installId': {
    file: 'modules/vcs/installations/handlers.test.ts',
    words: 'is refused to whoever does not administer the account',
  },
};
