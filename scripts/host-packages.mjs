import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { findCommand, runProgram, say } from './run-program.mjs';

/**
 * What npm cannot bring: the commands of which one shows that it is there, and the Debian package that has it. Where no
 * command tells, a program that ends well only with it is the proof.
 */
const forRunning = [
  { commands: ['bwrap'], package: 'bubblewrap' },
  { commands: ['git'], package: 'git' },
  // The programs of MySQL databases, without the service that the whole package would start.
  { commands: ['mariadbd'], package: 'mariadb-server-core' },
  { commands: ['mariadb-dump'], package: 'mariadb-client' },
];
/** Servers get a network each, databases a volume each; only root can give them one. */
const forRootOnly = [
  { commands: ['ip'], package: 'iproute2' },
  { commands: ['iptables', 'nft'], package: 'nftables' },
  { commands: ['mkfs.xfs'], package: 'xfsprogs' },
];
const onlyForTests = [
  { commands: ['chromium'], package: 'chromium' },
  { commands: ['oathtool'], package: 'oathtool' },
  // The command line is looked at in a terminal.
  { commands: ['tmux'], package: 'tmux' },
  // Databases are tried with the client that people use.
  { commands: ['psql'], package: 'postgresql-client' },
  // A certificate authority and a DNS server to test against, and what looks at certificates as strangers do.
  { commands: ['pebble'], package: 'pebble' },
  { commands: ['dnsmasq'], package: 'dnsmasq-base' },
  { commands: ['openssl'], package: 'openssl' },
  { commands: ['curl'], package: 'curl' },
  // Networks of servers are tested with both.
  { commands: ['iptables'], package: 'iptables' },
  { commands: ['nft'], package: 'nftables' },
  // Instances in containers: the tests start engines of their own, on an image made of Debian's packages.
  { commands: ['dockerd'], package: 'docker.io' },
  { commands: ['debootstrap'], package: 'debootstrap' },
  // The API is fuzzed by a program from PyPI. Debian's Python comes without what makes a place for such programs.
  { commands: ['python3'], package: 'python3-venv', proof: ['python3', '-c', 'import ensurepip'] },
];
/** Where the system's own programs are, whatever the PATH of whoever calls. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Installs what is missing where it may; elsewhere it says what would, and goes on with what is there. */
export async function installHostPackages({ forTests }) {
  const missing = wantedPackages({ forTests, isRoot: isRoot() })
    .filter(({ commands, proof }) => !commands.some(isInstalled) || (proof && !endsWell(proof)))
    .map((entry) => entry.package);
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
  const failed = await withoutServices(async () => {
    const isDone = (await apt(command)) || ((await apt(['apt-get', 'update'])) && (await apt(command)));
    return isDone ? [] : installOneByOne(missing);
  });
  if (failed.length === 0) say('  done');
  else say(`  ${failed.join(', ')} failed; going on without. To see why: apt-get install ${failed.join(' ')}`);
}

/** Debian asks this program whether a service that comes with a package may start. */
const POLICY = '/usr/sbin/policy-rc.d';

/** Only the programs are wanted: no service of a package is left running. Who has a policy of their own keeps it. */
async function withoutServices(install) {
  if (existsSync(POLICY)) return install();
  writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await install();
  } finally {
    rmSync(POLICY, { force: true });
  }
}

/** A system may lack one of them; the others are no less wanted. Answers what it lacks. */
async function installOneByOne(missing) {
  const failed = [];
  for (const name of missing) {
    if (!(await apt(['apt-get', 'install', '--yes', '--no-install-recommends', name]))) failed.push(name);
  }
  return failed;
}

function wantedPackages({ forTests, isRoot }) {
  return [...forRunning, ...(isRoot ? forRootOnly : []), ...(forTests ? onlyForTests : [])];
}

function isInstalled(command) {
  return findCommand(command) !== null || findCommand(command, SYSTEM_PATH) !== null;
}

function endsWell([file, ...args]) {
  return spawnSync(file, args, { stdio: 'ignore' }).status === 0;
}

function isRoot() {
  return process.getuid?.() === 0;
}

function isRootOnDebian() {
  return isRoot() && existsSync('/etc/debian_version') && findCommand('apt-get') !== null;
}

async function apt(argv) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return (await runProgram([...argv, '-qq'], { env, quiet: true })) === 0;
}
