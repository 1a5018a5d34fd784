import { existsSync } from 'node:fs';
import { findCommand, runProgram, say } from './run-program.mjs';

/** What npm cannot bring: the command that shows it is there, and the Debian package that has it. */
const forRunning = [
  { command: 'bwrap', package: 'bubblewrap' },
  { command: 'git', package: 'git' },
];
const onlyForTests = [
  { command: 'chromium', package: 'chromium' },
  { command: 'oathtool', package: 'oathtool' },
];

/** Installs what is missing where it may; elsewhere it says what would, and goes on with what is there. */
export async function installHostPackages({ forTests }) {
  const wanted = forTests ? [...forRunning, ...onlyForTests] : forRunning;
  const missing = wanted.filter(({ command }) => !findCommand(command)).map((entry) => entry.package);
  if (missing.length === 0) return;
  const command = ['apt-get', 'install', '--yes', '--no-install-recommends', ...missing];
  if (!isRootOnDebian()) {
    say(
      `Not on this machine: ${missing.join(', ')}. Parts of Lilac need them. On Debian or Ubuntu: sudo ${command.join(' ')}`,
    );
    return;
  }
  say(`Installing ${missing.join(', ')} …`);
  // The lists of packages may be absent or old; only then are they fetched.
  const isDone = (await apt(command)) || ((await apt(['apt-get', 'update'])) && (await apt(command)));
  if (isDone) say('  done');
  else say(`  failed; going on without. To see why: ${command.join(' ')}`);
}

function isRootOnDebian() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && findCommand('apt-get') !== null;
}

async function apt(argv) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return (await runProgram([...argv, '-qq'], { env, quiet: true })) === 0;
}
