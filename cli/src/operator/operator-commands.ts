/**
 * The commands for whoever runs the platform. They belong to the server, which need not be installed
 * here; the launcher hands them over. Listed for the help text only.
 */
export const operatorCommands = [
  { words: ['server'], summary: 'Run the platform' },
  { words: ['admin', 'owner', 'create'], summary: 'Create an account that owns a new organisation' },
  { words: ['admin', 'session', 'create'], summary: 'Sign a person in and show the tokens' },
  { words: ['admin', 'password', 'set'], summary: 'Give a person who forgot the password another one' },
  { words: ['admin', 'plan', 'set'], summary: "Change an organisation's plan" },
  { words: ['admin', 'key', 'rotate'], summary: 'Replace the key that secrets are sealed with' },
  { words: ['admin', 'vcs', 'setup'], summary: 'Print a link to the page where repository hosts are set up' },
  { words: ['admin', 'vcs', 'show'], summary: 'Show which repository hosts are set up, and what to enter there' },
  { words: ['admin', 'vcs', 'set'], summary: 'Set up a repository host without a browser' },
  { words: ['admin', 'vcs', 'check'], summary: 'Ask the repository hosts whether they know the platform' },
  { words: ['admin', 'vcs', 'remove'], summary: 'Forget how the platform is known to a repository host' },
  { words: ['admin', 'certificates', 'list'], summary: 'Show every certificate, and what is wrong with it' },
  { words: ['admin', 'certificates', 'renew'], summary: 'Get another certificate for a name now' },
  { words: ['admin', 'certificates', 'revoke'], summary: 'Declare a certificate void, and get another' },
  { words: ['admin', 'certificates', 'resume'], summary: 'Ask the authority again before its limit ends' },
  { words: ['admin', 'certificates', 'root'], summary: 'Print the root certificate of local names' },
  { words: ['admin', 'databases', 'list'], summary: 'Show which servers of databases run' },
  { words: ['admin', 'databases', 'stop'], summary: 'Stop every database on this machine' },
  { words: ['admin', 'errors'], summary: 'Show failures of the platform that nobody expected' },
  { words: ['admin', 'leaders'], summary: 'Show which host keeps the instances and the databases' },
  { words: ['admin', 'leaders', 'move'], summary: 'Let this host keep them from now on' },
  { words: ['doctor'], summary: 'Tell what this machine offers and what is missing' },
  { words: ['backup'], summary: 'Write the whole platform to one file' },
  { words: ['restore'], summary: 'Put a backup back' },
] as const;
