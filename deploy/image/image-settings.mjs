const SECOND = 1e9;

/** What the image is told besides its files; the Dockerfile says the same. */
export const imageSettings = {
  Env: [
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'LANG=C.UTF-8',
    'LILAC_HOME=/var/lib/lilac',
  ],
  WorkingDir: '/opt/lilac',
  Entrypoint: ['tini', '--', '/opt/lilac/deploy/image/entrypoint.sh'],
  Cmd: ['server'],
  Volumes: { '/var/lib/lilac': {} },
  Healthcheck: {
    Test: ['CMD', 'node', '/opt/lilac/deploy/image/health.mjs'],
    Interval: 10 * SECOND,
    // A machine that is very busy is not ill.
    Timeout: 30 * SECOND,
    Retries: 3,
    // Whoever is first after an upgrade brings the store up to date, and was not ready before that is done.
    StartPeriod: 600 * SECOND,
  },
};
