import { DEFAULT_REGISTRIES } from './runtime-settings.ts';

/**
 * Every setting, as data: read once here, documented from here (docs/reference/configuration.md).
 * Nothing else reads the environment.
 */
export interface Setting {
  name: `LILAC_${string}`;
  default: string;
  summary: string;
}

export const settings = [
  {
    name: 'LILAC_HOME',
    default: '~/.lilac',
    summary: "The folder that holds everything of this installation: the store's data, keys, logs. Mode 0700.",
  },
  {
    name: 'LILAC_PORT',
    default: '7080',
    summary: 'The public port, owned by the edge.',
  },
  {
    name: 'LILAC_BIND',
    default: '::',
    summary: 'The address the public port is opened on; `::` is every address of the machine, IPv4 too.',
  },
  {
    name: 'LILAC_PUBLIC_URL',
    default: 'http://localhost:<LILAC_PORT>',
    summary: 'The address people reach the console and the API at. Links and cookies follow it.',
  },
  {
    name: 'LILAC_API_LISTEN',
    default: '',
    summary:
      'An address and a port of this host at which its api takes what edges of other hosts pass on: `10.0.0.7:7090`, or ' +
      'a range that the address of each host is in, `10.0.0.0/24:7090`, so that all may have the same setting. They ' +
      'find it by the store. Whoever does not have the key file of the platform gets nowhere there.',
  },
  {
    name: 'LILAC_APPS_DOMAIN',
    default: 'localhost',
    summary: 'Deployed applications live at `<name>.<this domain>`.',
  },
  {
    name: 'LILAC_DATABASE_URL',
    default: '',
    summary: 'A PostgreSQL 14 or newer to use as the store. When set, no embedded one is started.',
  },
  {
    name: 'LILAC_DATABASE_URL_FILE',
    default: '',
    summary:
      'A file that holds it in place of the setting before, so that its password stands in no environment: a secret of ' +
      'a stack.',
  },
  {
    name: 'LILAC_KEYRING_FILE',
    default: '<LILAC_HOME>/secrets/keyring.json',
    summary:
      'The key file that opens the secrets in the store. All hosts of one platform need the same: a copy, or a secret ' +
      'that is given to them as a file. Mode 0600 or 0400.',
  },
  {
    name: 'LILAC_TRUSTED_PROXIES',
    default: '',
    summary:
      'Addresses or CIDR ranges of proxies in front of the edge, separated by commas. ' +
      'Only what these say in `X-Forwarded-For` is believed.',
  },
  {
    name: 'LILAC_ALLOWED_ORIGINS',
    default: '',
    summary: 'Further origins whose pages may call the API from a browser, separated by commas.',
  },
  {
    name: 'LILAC_FEATURE_FLAGS',
    default: '',
    summary:
      'Switches for optional features, separated by commas: `data_explorer=off,provider2=on`. ' +
      'What is not named is on where the host can serve it.',
  },
  {
    name: 'LILAC_EDGE_PROCESSES',
    default: 'one per core',
    summary: 'How many edge processes share the public port.',
  },
  {
    name: 'LILAC_EDGE_CACHE_BYTES',
    default: '10737418240',
    summary:
      'Where objects are in a bucket: how much of them the edges of this host keep on its disk. ' +
      'What was not asked for the longest goes first.',
  },
  {
    name: 'LILAC_VCS_URL',
    default: 'https://github.com',
    summary:
      'The first repository host (`provider1`). A host that is set here or in the two settings that follow is trusted: ' +
      'it may be at a private address, and speak http://.',
  },
  {
    name: 'LILAC_PROVIDER2_URL',
    default: 'https://gitlab.com',
    summary: 'The second repository host.',
  },
  {
    name: 'LILAC_PROVIDER3_URL',
    default: 'https://bitbucket.org',
    summary: 'The third repository host.',
  },
  {
    name: 'LILAC_VCS_API_URL',
    default: "the host's own: `https://api.github.com`, elsewhere `<LILAC_VCS_URL>/api/v3`",
    summary: 'Where the API of the first repository host is.',
  },
  {
    name: 'LILAC_PROVIDER2_API_URL',
    default: '`<LILAC_PROVIDER2_URL>/api/v4`',
    summary: 'Where the API of the second repository host is.',
  },
  {
    name: 'LILAC_PROVIDER3_API_URL',
    default: "the host's own: `https://api.bitbucket.org/2.0`, elsewhere `<LILAC_PROVIDER3_URL>/2.0`",
    summary: 'Where the API of the third repository host is.',
  },
  {
    name: 'LILAC_VCS_APPS_FILE',
    default: '',
    summary:
      'A JSON file that says how the platform is known to the repository hosts, in place of what `lilac admin vcs` ' +
      'keeps in the store: for installations whose secrets come as files. Readable by the platform only.',
  },
  {
    name: 'LILAC_VCS_PRIVATE_ADDRESSES',
    default: '',
    summary:
      'Where a repository host is left at its default, its name may not lead to a private or loopback address, unless ' +
      'that is in one of these CIDR ranges, separated by commas: `10.0.0.0/8`.',
  },
  {
    name: 'LILAC_TLS_PORT',
    default: '7443, where it is free',
    summary: 'The public port for https, owned by the edge too; `off` where a proxy in front does that.',
  },
  {
    name: 'LILAC_HSTS',
    default: 'off',
    summary:
      'For how many seconds browsers are told to come by https only, to names with a certificate of a public ' +
      'authority: 3600 to try it out, then 31536000.',
  },
  {
    name: 'LILAC_ACME_DIRECTORY',
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    summary:
      'The certificate authority (ACME) that certificates for custom domains come from; `off` for none. Using one ' +
      'means agreeing to its terms of service.',
  },
  {
    name: 'LILAC_ACME_EMAIL',
    default: '',
    summary: 'Where the certificate authority may write to when something is wrong with a certificate.',
  },
  {
    name: 'LILAC_ACME_CA_FILE',
    default: '',
    summary:
      'Certificates (PEM) to trust besides the usual ones when talking to the certificate authority: for one of your own.',
  },
  {
    name: 'LILAC_ACME_RENEWALS',
    default: '90',
    summary:
      'How many certificates that are good for a while yet are renewed within three hours, those that end first before ' +
      'the others. With the 200 first ones it stays below the 300 orders that Let’s Encrypt allows.',
  },
  {
    name: 'LILAC_PUBLIC_ADDRESSES',
    default: 'what the host of LILAC_PUBLIC_URL resolves to',
    summary:
      'The addresses by which the world reaches this platform, separated by commas: for the A and AAAA records of ' +
      'custom domains.',
  },
  {
    name: 'LILAC_DNS_SERVERS',
    default: "the system's own",
    summary:
      'DNS servers that are asked for the records of custom domains, separated by commas: `9.9.9.9,192.0.2.1:5353`.',
  },
  {
    name: 'LILAC_DNS_HOOK',
    default: '',
    summary:
      'A program that creates and removes TXT records, called as `<program> set|remove <name> <value>`. With it come ' +
      'certificates for `*.<LILAC_APPS_DOMAIN>` and for wildcards of custom domains.',
  },
  {
    name: 'LILAC_UPLOAD_MAX_BYTES',
    default: '104857600',
    summary: 'The largest archive that may be uploaded.',
  },
  {
    name: 'LILAC_BUILDS',
    default: 'half of the cores, at least one',
    summary: 'How many builds run at a time on this machine.',
  },
  {
    name: 'LILAC_BUILDS_PER_ORGANISATION',
    default: '2',
    summary: 'How many builds of one organisation run at a time on this machine.',
  },
  {
    name: 'LILAC_BUILD_MEMORY',
    default: '4096',
    summary: 'Mebibytes of memory one build may use.',
  },
  {
    name: 'LILAC_BUILD_CPUS',
    default: 'all cores',
    summary: 'How many cores one build may use.',
  },
  {
    name: 'LILAC_BUILD_MINUTES',
    default: '30',
    summary: 'A build that takes longer is stopped.',
  },
  {
    name: 'LILAC_BUILD_ENV',
    default: '',
    summary:
      "Names of the platform's own environment variables that builds see too, separated by commas. " +
      'Proxies and certificate bundles are always passed on.',
  },
  {
    name: 'LILAC_RATE_LIMIT',
    default: '5000',
    summary: 'Requests to the API that one address may make in ten minutes.',
  },
  {
    name: 'LILAC_LOG_LEVEL',
    default: 'info',
    summary: 'The least severe messages that are logged: trace, debug, info, warn, error or silent.',
  },
  {
    name: 'LILAC_LOG_LINES_PER_SECOND',
    default: '5000',
    summary:
      'How many lines a second of one environment are kept in its log. Ten times as many may come at once; ' +
      'what is above is dropped, and counted in the log.',
  },
  {
    name: 'LILAC_LOG_BYTES_PER_DAY',
    default: '1073741824',
    summary: 'How many bytes of text one environment may write into its log in a day; what is above is dropped.',
  },
  {
    name: 'LILAC_METRICS_TOKEN',
    default: '',
    summary:
      'Lets a Prometheus read `/metrics` of the public address: it sends this token, at least 16 characters, as ' +
      '`Authorization: Bearer <token>`. Without it there is no such page.',
  },
  {
    name: 'LILAC_SCALE_DOWN_AFTER',
    default: '60s',
    summary: 'How long an application must need fewer instances before some are stopped: `30s`, `5m`, `1h`.',
  },
  {
    name: 'LILAC_IDLE_TO_ZERO_AFTER',
    default: '10m',
    summary:
      'How long an application with `minInstances` 0 must be without requests before its last instance is stopped.',
  },
  {
    name: 'LILAC_START_WITHIN',
    default: '60s',
    summary: 'How long a new instance may take until it listens. One that takes longer has failed to start.',
  },
  {
    name: 'LILAC_DRAIN_WITHIN',
    default: '30s',
    summary: 'How long requests that are under way may take to finish on an instance that is about to be stopped.',
  },
  {
    name: 'LILAC_LEADS',
    default: 'instances,databases',
    summary:
      'Of all workers one keeps the instances, and one the databases. Which of the two the worker of this host may: ' +
      '`instances`, `databases`, both separated by a comma, or `off`.',
  },
  {
    name: 'LILAC_RUNTIME',
    default: 'docker where an engine answers that has the stack image, else sandbox',
    summary:
      'What servers run in: `sandbox` (processes of this machine), `docker` (containers of its engine) or `swarm` ' +
      '(services of a Docker Swarm).',
  },
  {
    name: 'LILAC_DOCKER_HOST',
    default: 'unix:///var/run/docker.sock',
    summary: 'The socket of the engine, for `docker` and `swarm`; that of a manager, for `swarm`.',
  },
  {
    name: 'LILAC_DOCKERFILES',
    default: 'off',
    summary:
      'For `docker`: whether projects are built from their Dockerfiles, which gives whoever may deploy root in a container ' +
      'of the engine. `on` needs the files of the engine on another file system than `LILAC_HOME`, since a build can fill ' +
      'it; `on-shared-disk` does without.',
  },
  {
    name: 'LILAC_IMAGE_REGISTRIES',
    default: DEFAULT_REGISTRIES,
    summary:
      'For `docker`: where the images may come from that Dockerfiles are built on, separated by commas. The engine asks ' +
      'them from where it stands, so name none that could send it to addresses of your own network.',
  },
  {
    name: 'LILAC_CLUSTER_RANGE',
    default: 'the addresses of the machines in the swarm',
    summary:
      'For `swarm`: the range that the machines of this platform are in, such as `10.0.5.0/24`. Whoever is in it may ' +
      'reach instances, and no instance reaches anything in it but the databases of its own organisation.',
  },
  {
    name: 'LILAC_INSTANCE_SUBNET',
    default: '10.213.0.0/16',
    summary:
      'Where the platform is root, every instance has a network of its own with an address out of this private /16. ' +
      'Choose another one if your own network uses it.',
  },
  {
    name: 'LILAC_DATABASE_PORTS',
    default: '15000-15999',
    summary: 'The ports that databases are reached at. Open them in your firewall to reach databases from outside.',
  },
  {
    name: 'LILAC_DATABASE_HOST',
    default: 'the host of LILAC_PUBLIC_URL',
    summary: 'The name or address of this machine in the connection strings of databases.',
  },
  {
    name: 'LILAC_POSTGRESQL_PROGRAMS',
    default: '',
    summary:
      "A folder with PostgreSQL's own programs (`postgres`, `initdb`), 14 or newer, for new databases. Left out, the " +
      'newest is taken of what this machine has and what npm brought.',
  },
  {
    name: 'LILAC_BACKUP_DAYS',
    default: '7',
    summary: 'For how many days the daily backups of databases are kept.',
  },
  {
    name: 'LILAC_IMPORT_MAX_BYTES',
    default: '10737418240',
    summary: 'The largest dump that may be uploaded to be imported into a database.',
  },
  {
    name: 'LILAC_S3_BUCKET',
    default: '',
    summary:
      'Keeps uploads, artifacts and dumps in this bucket of an S3 object store, in place of files below LILAC_HOME. ' +
      'Every host of a platform needs the same.',
  },
  {
    name: 'LILAC_S3_ENDPOINT',
    default: "Amazon's, of the region",
    summary: 'Where the S3 object store is: `https://s3.example.org`.',
  },
  {
    name: 'LILAC_S3_PUBLIC_ENDPOINT',
    default: '`LILAC_S3_ENDPOINT`',
    summary:
      'Where people and browsers reach the same store, if not there: addresses for uploads and downloads begin so.',
  },
  {
    name: 'LILAC_S3_REGION',
    default: 'us-east-1',
    summary: 'The region of the bucket.',
  },
  {
    name: 'LILAC_S3_PREFIX',
    default: '',
    summary: 'What the keys of all objects begin with, where the bucket holds other things too: `lilac/`.',
  },
  {
    name: 'LILAC_S3_PATH_STYLE',
    default: 'on where LILAC_S3_ENDPOINT is set',
    summary: 'Whether the bucket is named in the path (`on`), or in the name of the host (`off`).',
  },
  {
    name: 'LILAC_S3_ACCESS_KEY_ID',
    default: '',
    summary: 'The name of the key that opens the bucket.',
  },
  {
    name: 'LILAC_S3_SECRET_ACCESS_KEY',
    default: '',
    summary: 'The secret of that key.',
  },
  {
    name: 'LILAC_S3_CREDENTIALS_FILE',
    default: '',
    summary:
      "A file that holds both in place of the two settings before, in the format of Amazon's tools: lines " +
      '`aws_access_key_id = …` and `aws_secret_access_key = …`. A changed file is followed within minutes.',
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]['name'];
export type Environment = Partial<Record<string, string>>;
