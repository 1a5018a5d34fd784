import { commands, isGroup, type Command } from '../cli/src/frame/command.ts';
import { commonOptions } from '../cli/src/frame/general-help.ts';
import { commandHelp } from '../cli/src/frame/help.ts';
import { groupNames } from '../cli/src/frame/short-words.ts';
import { operatorCommands } from '../cli/src/operator/operator-commands.ts';
import { page, table } from './markdown-reference.ts';

const WIDTH = 100;

/** docs/reference/cli.md */
export function cliReference(): string {
  const named = commands.map((command) => ({ command, name: command.words.join(' ') }));
  const sorted = named.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  return page('The command line', [
    'What `lilac` takes, answers and remembers. [cli.md](../cli.md) tells how to use it.',
    '## Synopsis\n\n```text\nlilac <command> [arguments] [options]\nlilac <command> --help\nlilac --version\n```',
    `## Options of every command\n\n${table(['Option', 'What it does'], commonOptions.map(inCode))}`,
    NAMES,
    `## Exit codes\n\n${table(['Code', 'When'], exitCodes)}`,
    `${ERRORS}\n\n${table(['Code', 'When'], errorCodes.map(inCode))}`,
    `## Environment\n\n${table(['Variable', 'What it is for'], variables.map(inCode))}`,
    `## Files\n\n${table(['File', 'What is in it'], files.map(inCode))}`,
    `## Commands\n\n${sorted.map(({ name }) => `- [\`${name}\`](#lilac-${name.replaceAll(' ', '-')})`).join('\n')}`,
    ...sorted.map(({ command }) => commandText(command)),
    OPERATOR,
    table(
      ['Command', 'What it does'],
      operatorCommands.map(({ words, summary }) => [`\`lilac ${words.join(' ')}\``, summary]),
    ),
  ]);
}

const inCode = ([name = '', ...more]: readonly string[]) => [`\`${name}\``, ...more];

function commandText(command: Command): string {
  const calls =
    command.own || !command.endpoint
      ? ''
      : `Calls [\`${command.endpoint}\`](api.md#${command.endpoint.replaceAll('.', '')}).`;
  return [`### lilac ${command.words.join(' ')}`, `\`\`\`text\n${commandHelp(command, WIDTH)}\`\`\``, calls]
    .filter(Boolean)
    .join('\n\n');
}

const otherNames = Object.entries(groupNames)
  .filter(([other]) => !isGroup(other))
  .map(([other, name]) => `\`${other}\` for \`${name}\``)
  .join(', ');

const NAMES = `## Names in place of ids

Where a command takes an application or an environment, its id does, and so does the name or slug of the application or
a subdomain it answers at. An application means its production environment there; \`--env\` names another one. Left out,
both are what the folder is linked to (\`lilac.json\`), except for what deletes them. \`--org\` takes the id, the slug
or the name of an organisation.

Other names of groups are understood as well: ${otherNames}.

\`env\` has commands of its own (\`lilac env --help\`), and stands for \`envs\` before a word that is none of them:
\`lilac env create\`.`;

const exitCodes = [
  ['0', 'It was done. Of `lilac deploy` and `lilac rollback`: it is served'],
  ['1', 'It failed: the platform refused, nothing answered, nobody is signed in, a deployment failed'],
  ['2', 'The command was not understood, or something in it is unknown; nothing was changed'],
  ['130', 'Ctrl-C (SIGINT). 129 is SIGHUP, 143 SIGTERM'],
];

const ERRORS = `## Errors

Answers go to standard output, everything else to standard error. With \`--json\` what went wrong is the last line there:
\`{"error": {"code", "message", "next", "status", "errorId", "retryAfterSeconds"}}\`. \`next\`, where there is one, is a
list of sentences that say what to do. The last three are there when the platform answered; then \`code\` is one of
[its own](errors.md). The others are:`;

const errorCodes = [
  ['USAGE', 'the command was not understood (exit code 2)'],
  ['NOT_SIGNED_IN', 'there is no session and no `LILAC_TOKEN`, or the session is over'],
  ['UNREACHABLE', 'nothing answers at the address'],
  ['CUT_OFF', 'the connection broke off before the answer had come: it may have been done all the same'],
  ['NOT_LILAC', 'something else answers there'],
  ['STOPPED', 'it ended for a reason that the message tells: a question answered with no, a wait that was over'],
  ['INTERRUPTED', 'Ctrl-C, or a signal (exit codes 129, 130, 143)'],
];

const variables = [
  ['LILAC_TOKEN', 'an API key or a session token; counts more than a session of `lilac login`'],
  ['LILAC_API_URL', 'where the platform is, such as `https://lilac.example.org`'],
  ['LILAC_PORT', 'the port of a platform on this machine, where nothing else says where it is; default 7080'],
  ['XDG_CONFIG_HOME', 'where the folder `lilac` with sessions is; default `~/.config`'],
  ['NO_COLOR', 'set to anything: no colours'],
  ['BROWSER', 'the program that opens pages'],
];

const files = [
  [
    'lilac.json',
    "what a project's folder is linked to: `apiUrl`, `organisationId`, `applicationId`, `environmentId`. No secret; other fields are left alone. Looked for in the current folder and above",
  ],
  [
    '.lilacignore',
    'what `lilac deploy` and a folder dropped in the console leave out, besides what `.gitignore` names',
  ],
  ['~/.config/lilac/sessions/*.json', 'a session for each platform; mode 0600 in a folder of mode 0700'],
  ['~/.config/lilac/preferences.json', 'where you signed in last, and the organisation chosen on each platform'],
];

const OPERATOR = `## For whoever runs the platform

These run on the platform's machine; [operating.md](../operating.md) tells about them. Each explains itself with \`--help\`.`;
