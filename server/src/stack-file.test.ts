import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ignore from '@balena/dockerignore';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { settings } from './config.ts';
import { leadable, readLeads } from './config/read-leads.ts';
import { roleNames } from './supervisor/role-messages.ts';
import { readServerOptions } from './supervisor/server-options.ts';

/**
 * The platform as a stack is tried by `deploy/swarm/try-it.mjs`, which takes minutes; here is what can be seen at once.
 */
const deploy = join(import.meta.dirname, '../../deploy');
const read = (name: string) => readFileSync(join(deploy, name), 'utf8');

interface Service {
  command: string[];
  environment: Record<string, string>;
  secrets: { source: string; mode: number }[];
  volumes: (string | object)[];
  networks: string[];
  cap_drop?: string[];
  cap_add?: string[];
  read_only?: boolean;
  deploy: {
    mode: string;
    placement?: { constraints: string[] };
    update_config: Record<string, unknown>;
    rollback_config: Record<string, unknown>;
    restart_policy: { condition: string };
  };
}

const stack = parse(read('swarm/lilac.yml'), { merge: true, version: '1.1' }) as {
  services: Record<string, Service>;
  secrets: Record<string, { external?: boolean }>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
};
const services = Object.entries(stack.services);
const rolesOf = ({ command }: Service) => [
  ...readServerOptions(command.slice(1), { databaseUrl: 'postgresql://elsewhere/lilac' }).roles,
];

/** Those that have a role among theirs. */
const servicesWith = (role: (typeof roleNames)[number]) =>
  services.filter(([, service]) => rolesOf(service).includes(role));
const SOCKET = '/var/run/docker.sock:/var/run/docker.sock';
/** What is said of every service; none of it gives a right. */
const SAID_OF_EACH = [
  'command',
  'deploy',
  'env_file',
  'environment',
  'image',
  'logging',
  'secrets',
  'stop_grace_period',
];
/** What else is said of a service: ports of its own, another user or `privileged` would be among it. */
const rightsOf = (service: Service) =>
  Object.keys(service)
    .filter((key) => !SAID_OF_EACH.includes(key))
    .toSorted();
const guide = readFileSync(join(deploy, '../docs/more-than-one-machine.md'), 'utf8');

const packagesOf = (name: string) => read(`${name}/packages.txt`).trim().split(/\s+/);
/** As Dockerfiles are written. */
const words = (all: readonly string[]) => JSON.stringify(all).replaceAll('","', '", "');

describe('the stack file', () => {
  it('sets only what is a setting, and so does its example', () => {
    // The image is named for the file itself.
    const known = new Set<string>(['LILAC_IMAGE', ...settings.map(({ name }) => name)]);
    const example = read('swarm/lilac.env.example').match(/^[A-Z_0-9]+(?==)/gm)!;
    const named = [...services.flatMap(([, { environment }]) => Object.keys(environment)), ...example];
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('gives secrets as files that only their reader may read, and none as a variable', () => {
    for (const [, { environment, secrets }] of services) {
      const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
      const mounted = secrets.map(({ source }) => `/run/secrets/${source}`);
      expect(files.map(([, path]) => path).toSorted()).toEqual(mounted.toSorted());
      expect(secrets.every(({ source, mode }) => mode === 0o400 && stack.secrets[source]?.external)).toBe(true);
      expect(Object.keys(environment).filter((name) => /URL$|SECRET|PASSWORD|TOKEN/.test(name))).toEqual([]);
    }
  });

  it('runs every role, and has one worker for each thing that is led', () => {
    expect([...new Set(services.flatMap(([, service]) => rolesOf(service)))].toSorted()).toEqual(roleNames.toSorted());
    const led = servicesWith('worker').flatMap(([, { environment }]) => readLeads(environment['LILAC_LEADS']));
    expect(led.toSorted()).toEqual(leadable.toSorted());
    expect(stack.services['databases']?.environment['LILAC_LEADS']).toBe('databases');
    for (const [, { environment }] of services) expect(environment['LILAC_RUNTIME']).toBe('swarm');
  });

  it('uses the ports of a machine that the guide wants free, and the api only within the cluster', () => {
    const own = services.flatMap(([, { environment }]) =>
      ['LILAC_PORT', 'LILAC_TLS_PORT', 'LILAC_API_LISTEN'].flatMap((name) => environment[name] ?? []),
    );
    const ports = own.map((each) => each.replace(/^\$\{LILAC_CLUSTER_RANGE:\?set it in lilac\.env\}:/, ''));
    const databases = settings.find(({ name }) => name === 'LILAC_DATABASE_PORTS')!.default;
    const said = `ports ${ports.join(', ')} and ${databases.replace('-', ' to ')} must be free there`;
    expect(guide).toContain(said);
  });

  it('lets no two of them listen at one port of a machine', () => {
    const ports = services.flatMap(([, { environment }]) => environment['LILAC_API_LISTEN']?.split(':').at(-1) ?? []);
    expect(ports).toHaveLength(services.filter(([, service]) => rolesOf(service).includes('api')).length);
    expect(new Set(ports).size).toBe(ports.length);
    expect(services.filter(([, service]) => rolesOf(service).includes('edge'))).toHaveLength(1);
  });

  it('shares no home between two of them', () => {
    const mounts = services.flatMap(([, { volumes }]) => volumes.filter((each) => typeof each === 'string'));
    const homes = mounts.filter((mount) => mount.endsWith(':/var/lib/lilac')).map((mount) => mount.split(':')[0]!);
    expect(homes).toHaveLength(services.length);
    // Said without a word more: places of Docker's own, and no folders of the machine.
    expect(stack.volumes).toEqual(Object.fromEntries(homes.map((home) => [home, null])));
  });
});

describe('what each of them may', () => {
  it('is on the machine’s own network, where tasks and other machines reach it', () => {
    expect(stack.networks).toEqual({ host: { external: true, name: 'host' } });
    expect(services.map(([, { networks }]) => networks)).toEqual(services.map(() => ['host']));
  });

  it('is on every machine, or on every manager where it asks the engine, of which only managers know the swarm', () => {
    expect(
      services.map(
        ([
          ,
          {
            deploy: { mode },
          },
        ]) => mode,
      ),
    ).toEqual(services.map(() => 'global'));
    for (const [, { deploy }] of servicesWith('worker')) {
      expect(deploy.placement?.constraints).toContain('node.role == manager');
    }
    expect(stack.services['databases']?.deploy.placement?.constraints).toContain('node.labels.lilac.databases == true');
  });

  it('who builds and moves addresses may make namespaces and change networks, and has the engine and its home', () => {
    for (const [name, service] of servicesWith('worker')) {
      expect(service).toMatchObject({
        cap_add: ['SYS_ADMIN', 'NET_ADMIN'],
        volumes: [`${name}:/var/lib/lilac`, SOCKET],
      });
      expect(rightsOf(service)).toEqual(['cap_add', 'networks', 'volumes']);
    }
  });

  it('who faces the world has low ports, and nothing else of root or the engine', () => {
    const [[, front]] = servicesWith('edge') as [[string, Service]];
    expect(front).toMatchObject({ cap_drop: ['ALL'], cap_add: ['NET_BIND_SERVICE'], read_only: true });
    expect(front.volumes).toEqual(['front:/var/lib/lilac', { type: 'tmpfs', target: '/tmp' }]);
    expect(rightsOf(front)).toEqual(['cap_add', 'cap_drop', 'networks', 'read_only', 'volumes']);
    expect(front.deploy.placement).toBeUndefined();
  });

  it('is replaced one after another, goes back by itself, and comes again whatever ended it', () => {
    for (const [, { deploy }] of services) {
      expect(deploy.update_config).toMatchObject({ parallelism: 1, order: 'stop-first', failure_action: 'rollback' });
      expect(deploy.rollback_config).toEqual({ parallelism: 1, order: 'stop-first' });
      expect(deploy.restart_policy.condition).toBe('any');
    }
  });
});

/**
 * What the Dockerfile needs besides: it builds the console and the server, installs the packages, and has more to copy.
 */
const FOR_DOCKERFILE = [
  '.npmrc',
  'tsconfig.json',
  ...['build', 'index.html', 'public', 'src', 'tsconfig.json', 'vite.config.ts'].map((name) => `console/${name}`),
  'sdk/build',
  ...['entrypoint.sh', 'health.mjs', 'packages.txt'].map((name) => `deploy/image/${name}`),
  'deploy/stack/packages.txt',
];

describe('what a clone gives to an engine that makes an image', () => {
  const rules = readFileSync(join(deploy, '../.dockerignore'), 'utf8');
  const lines = rules.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  it('is what the image is made of, and nothing else', async () => {
    const { SOURCES } = (await import(join(deploy, 'image/app-files.mjs'))) as { SOURCES: string[] };
    const wanted = [...SOURCES.filter((path) => path !== 'console/dist'), ...FOR_DOCKERFILE];
    expect(lines[0]).toBe('*');
    const letIn = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(letIn.toSorted()).toEqual(wanted.toSorted());
    expect(wanted.filter((path) => !existsSync(join(deploy, '..', path)))).toEqual([]);
  });

  it('has neither keys nor settings', () => {
    const rulesOf = ignore.default({ ignorecase: false }).add(lines);
    const ignores = (file: string) => rulesOf.ignores(file);
    const kept = ['lilac-keyring.json', 'lilac-s3', '.env', 'server/src/.env', 'server/.env', 'deploy/swarm/lilac.env'];
    const files = [...kept, 'deploy/swarm/lilac-keyring.json', '.lilac/secrets/keyring.json', '.git/config'];
    expect(files.filter((file) => !ignores(file))).toEqual([]);
    expect(['server/src/main.ts', 'deploy/image/entrypoint.sh'].filter((file) => ignores(file))).toEqual([]);
  });
});

describe('the image', () => {
  it('has what programs find where they run, since they are built in it', () => {
    expect(packagesOf('stack').filter((name) => !packagesOf('image').includes(name))).toEqual([]);
  });

  it('is named by its files, and by nothing that tells when or where it was made', async () => {
    const { wrapLayers } = (await import(join(deploy, 'debian-image.mjs'))) as {
      wrapLayers: (folder: string, image: { tag: string; settings: object; layers: string[] }) => void;
    };
    /** The engine calls an image by the hash of this. */
    const wrap = (files: string) => {
      const folder = mkdtempSync(join(tmpdir(), 'lilac-image-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'layer.tar'), files);
      wrapLayers(folder, { tag: 'lilac:test', settings: { Cmd: ['server'] }, layers: ['layer.tar'] });
      return readFileSync(join(folder, 'config.json'), 'utf8');
    };
    const hash = createHash('sha256').update('some files').digest('hex');
    expect(JSON.parse(wrap('some files'))).toMatchObject({ rootfs: { diff_ids: [`sha256:${hash}`] } });
    expect(wrap('some files')).toBe(wrap('some files'));
    expect(wrap('other files')).not.toBe(wrap('some files'));
  });

  it('is told the same by the Dockerfile as by the script', async () => {
    const { imageSettings } = (await import(join(deploy, 'image/image-settings.mjs'))) as {
      imageSettings: { Entrypoint: string[]; Cmd: string[]; Env: string[]; Healthcheck: { Test: string[] } };
    };
    const dockerfile = read('image/Dockerfile');
    expect(dockerfile).toContain(`ENTRYPOINT ${words(imageSettings.Entrypoint)}`);
    expect(dockerfile).toContain(`CMD ${words(imageSettings.Cmd)}`);
    expect(dockerfile).toContain(`CMD ${words(imageSettings.Healthcheck.Test.slice(1))}`);
    for (const variable of imageSettings.Env.slice(1)) expect(dockerfile).toContain(variable);
  });
});
