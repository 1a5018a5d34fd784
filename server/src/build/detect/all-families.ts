import { bareScripts } from './families/bare-scripts.ts';
import { bun } from './families/bun.ts';
import { deno } from './families/deno.ts';
import { compose, dockerfile } from './families/dockerfile.ts';
import { dotnet } from './families/dotnet.ts';
import { elixir } from './families/elixir.ts';
import { elm } from './families/elm.ts';
import { flutter } from './families/flutter.ts';
import { go } from './families/go.ts';
import { hugo } from './families/hugo.ts';
import { hugoByNpm } from './families/hugo-by-npm.ts';
import { java } from './families/java.ts';
import { javascript } from './families/javascript.ts';
import { php } from './families/php.ts';
import { procfile } from './families/procfile.ts';
import { python } from './families/python.ts';
import { pythonSites } from './families/python-sites.ts';
import { ruby } from './families/ruby.ts';
import { rust } from './families/rust.ts';
import { rustInBrowser } from './families/rust-in-browser.ts';
import { siteGeneratorPrograms } from './families/site-generators.ts';
import { staticHtml } from './families/static-html.ts';
import { unsupported } from './families/unsupported.ts';
import type { Family } from './finding.ts';

/**
 * The first that knows a project describes it. Languages with a manifest of their own come before
 * JavaScript: a package.json beside them is mostly for assets. What could be anything comes last.
 */
export const families: readonly Family[] = [
  dockerfile,
  hugo,
  php,
  go,
  java,
  rustInBrowser,
  rust,
  ruby,
  elixir,
  deno,
  dotnet,
  pythonSites,
  python,
  flutter,
  elm,
  bun,
  hugoByNpm,
  javascript,
  siteGeneratorPrograms,
  unsupported,
  staticHtml,
  bareScripts,
  procfile,
  compose,
];
