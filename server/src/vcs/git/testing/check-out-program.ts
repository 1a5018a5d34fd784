import { readConfig } from '../../../config.ts';
import { silentLog } from '../../../lib/log.ts';
import { createGitSources } from '../git-sources.ts';
import { parseRepository } from '../parse-repository.ts';

/** A process of its own that checks out `main` of one repository: `<host> <owner/name> <mirrors> <folder>`. */
const [host = '', name = '', root = '', folder = ''] = process.argv.slice(2);
const config = readConfig({ LILAC_HOME: folder, LILAC_VCS_URL: host });
const sources = createGitSources({ config, root, log: silentLog });
const commit = await sources.checkOut(parseRepository(config, { url: `${host}/${name}` }), {
  branch: 'main',
  folder,
  signal: AbortSignal.timeout(50_000),
  onLine: () => {},
});
process.stdout.write(commit.sha);
