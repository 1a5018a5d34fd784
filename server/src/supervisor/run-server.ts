import { ConfigError, loadConfig, type Config } from '../config.ts';
import { collectAtRest } from '../lib/collect-at-rest.ts';
import { readVersion } from '../lib/read-version.ts';
import { readLacking, readRuntimeName } from '../runtime/isolation-file.ts';
import { formatBanner, nextCommands, secureAddressOf, type BannerFacts } from './banner.ts';
import { createOutput, type Output } from './output.ts';
import { startPlatform, type PlatformOptions } from './platform.ts';
import { prepareHome, takeHome } from './prepare-home.ts';
import { readServerOptions, serverUsage, wantsHelp } from './server-options.ts';
import { StartRefused } from './start-refused.ts';
import { listenForStop } from './stop-request.ts';
import { watchSources } from './watch-sources.ts';

/** `lilac server`: runs the platform until it is told to stop; `program` is this one's file. Returns the exit code. */
export async function runServer(argv: readonly string[], program: string): Promise<number> {
  if (wantsHelp(argv)) {
    process.stdout.write(serverUsage);
    return 0;
  }
  try {
    const config = loadConfig();
    const options = readServerOptions(argv, config);
    prepareHome(config);
    const giveBack = takeHome(config);
    try {
      return await serve({ program, config, options });
    } finally {
      giveBack();
    }
  } catch (error) {
    if (!(error instanceof StartRefused || error instanceof ConfigError)) throw error;
    process.stderr.write(`lilac: ${error.message}\n`);
    return 1;
  }
}

type Served = Omit<PlatformOptions, 'output'>;

/** It has hardly anything to do, and what it needs is little: what it leaves would be seen for hours. */
const REST = { restShare: 0.05, worthBytes: 1.5 * 1024 ** 2 };

async function serve({ program, config, options }: Served): Promise<number> {
  using stop = listenForStop();
  // Whoever read our output may go away; that is no reason to stop.
  process.stdout.on('error', () => {});
  const output = createOutput(process.stdout, config.logLevel);
  const platform = await startPlatform({ program, config, options, output });
  const stopWatching = options.watch ? watchSources(() => platform.restartRoles()) : null;
  let refusal: Error | null = null;
  let isStopping = false;
  platform.ready
    .then(() => platform.setupLink())
    .then((setupLink) => isStopping || announce(output, { config, tlsPort: platform.tlsPort, setupLink }))
    .catch((error: Error) => {
      refusal = error;
      stop.request(1);
    });
  collectAtRest(REST);
  const exitCode = await stop.requested;
  isStopping = true;
  stopWatching?.();
  output.say('info', 'Stopping');
  await platform.stop();
  if (refusal) throw refusal as Error;
  output.say('info', 'Stopped');
  return exitCode;
}

type Announcement = Pick<BannerFacts, 'tlsPort' | 'setupLink'> & { config: Config };

function announce(output: Output, { config, tlsPort, setupLink }: Announcement): void {
  const facts = {
    config,
    tlsPort,
    setupLink,
    version: readVersion(),
    lacking: readLacking(config),
    runtime: readRuntimeName(config),
  };
  const { version, lacking, runtime } = facts;
  const secureAddress = secureAddressOf(facts);
  output.announce((colours) => formatBanner(facts, colours), 'Lilac is ready', {
    version,
    console: config.publicUrl.origin,
    ...(secureAddress && { https: secureAddress }),
    home: config.home,
    ...(setupLink && { setupLink }),
    ...(runtime && { runtime }),
    ...(lacking.length > 0 && { lacking }),
    next: nextCommands({ config, setupLink }),
  });
}
